#ifndef INSTRUMENTS_H
#define INSTRUMENTS_H

#include <stdbool.h>

/// Whether allocations are counted on this platform.
bool allocations_are_counted(void);
/// How many the calling thread has made.
long allocations_made(void);
/// How many the calling thread has given back.
long allocations_released(void);
/// How many bytes of the process are allocated.
long bytes_in_use(void);

/// Does nothing, which the compiler of the caller cannot know.
void look_at(const void *memory);

#endif
