function open() {
  const recording = new Recording($("recording").textContent);
  const name = JSON.parse($("name").textContent);
  document.title = $("title").textContent = plain(name);
  let line, details;
  const tree = new Tree(recording, (event) => {
    line.select(event);
    details.show(event);
    const address = `#${event + 1}`;
    if (location.hash === address) return;
    // A link that was followed can be gone back from. A key that was held leaves no trail.
    history[isFollowing ? "pushState" : "replaceState"](null, "", address);
  });
  let isFollowing = false;
  details = new Details(recording, (event) => {
    isFollowing = true;
    tree.select(event);
    isFollowing = false;
    // The link that was followed is gone.
    $("tree").focus();
  });
  const search = new Search(recording, tree, (range) => line.shade(range));
  line = new TimeLine(recording, (event) => tree.select(event),
    (range) => search.filters.set("time", range));
  document.addEventListener("keydown", (event) => {
    if (event.target === $("query") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/") $("query").select();
    else if (event.key === "Escape" && search.matches && event.target === $("tree")) search.end();
    else if (event.key === "Escape") $("tree").focus();
    else return;
    event.preventDefault();
  });
  const linked = () => Number(location.hash.slice(1)) - 1;
  addEventListener("hashchange", () => {
    if (recording.store[linked()] && linked() !== tree.selected) tree.select(linked());
  });
  if (recording.count > 0) tree.select(recording.store[linked()] ? linked() : 0);
  else details.showNothing();
  $("tree").focus();
}

open();
// `.ci/page` measures it.
document.body.dataset.opened = Math.round(performance.now());
