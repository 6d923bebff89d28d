// What an executable defines is found before what the C library defines: so every allocation of
// the process, the Swift runtime's as well, comes by here. Glibc gives the real ones another name.
#include "Instruments.h"

#include <errno.h>
#include <stddef.h>

#if defined(__GLIBC__)

#include <malloc.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *memory);

// A number for each thread: one for all would make threads wait for one another.
static __thread long made = 0;
static __thread long released = 0;

void *malloc(size_t size) {
  made += 1;
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  made += 1;
  return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
  made += 1;
  if (old) released += 1;
  return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
  made += 1;
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **result, size_t alignment, size_t size) {
  void *memory = memalign(alignment, size);
  if (!memory) return ENOMEM;
  *result = memory;
  return 0;
}

void free(void *memory) {
  if (memory) released += 1;
  __libc_free(memory);
}

bool allocations_are_counted(void) { return true; }
long allocations_made(void) { return made; }
long allocations_released(void) { return released; }

long bytes_in_use(void) {
  struct mallinfo2 info = mallinfo2();
  return (long)(info.uordblks + info.hblkhd);
}

#else

bool allocations_are_counted(void) { return false; }
long allocations_made(void) { return 0; }
long allocations_released(void) { return 0; }
long bytes_in_use(void) { return 0; }

#endif

void look_at(const void *memory) { (void)memory; }

