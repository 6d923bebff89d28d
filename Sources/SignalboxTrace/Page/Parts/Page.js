function open() {
  const recording = new Recording($("recording").textContent);
  const name = JSON.parse($("name").textContent);
  document.title = $("title").textContent = name;
  let line, details;
  const tree = new Tree(recording, (event) => {
    line.select(event);
    details.show(event);
    history.replaceState(null, "", `#${event + 1}`);
  });
  details = new Details(recording, (event) => {
    tree.select(event);
    // The link that was followed is gone.
    $("tree").focus();
  });
  line = new TimeLine(recording, (event) => tree.select(event));
  const search = new Search(recording, tree);
  document.addEventListener("keydown", (event) => {
    if (event.target === $("query") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/") $("query").select();
    else if (event.key === "Escape" && search.matches && event.target === $("tree")) {
      $("query").value = "";
      search.run();
    } else if (event.key === "Escape") $("tree").focus();
    else return;
    event.preventDefault();
  });
  const linked = Number(location.hash.slice(1)) - 1;
  if (recording.count > 0) tree.select(recording.store[linked] ? linked : 0);
  $("tree").focus();
}

open();
// `.ci/page` measures it.
document.body.dataset.opened = Math.round(performance.now());
