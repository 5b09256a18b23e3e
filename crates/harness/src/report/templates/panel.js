// The panel beside the page: which cells a number rests on, and what is known of a cell.

const panel = document.querySelector('.panel');

function open(title, ...content) {
  const close = make('button', { type: 'button' }, 'Close');
  close.addEventListener('click', () => panel.close());
  const top = make('div', { className: 'panel-top' }, make('h2', { id: 'panel-title' }, title), close);
  panel.replaceChildren(top, ...content);
  if (!panel.open) panel.showModal();
  panel.scrollTop = 0;
  close.focus();
}
panel.addEventListener('click', (event) => { if (event.target === panel) panel.close(); });

function command(line) {
  return withCopy(make('p', { className: 'command' }, make('code', {}, line)));
}

// A text as one word of a shell.
const quoted = (text) => /^[\w./:=+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

const explain = (what) => `robust-svm explain ${quoted(data.folder)} ${quoted(what)}`;

function facts(pairs) {
  const items = pairs.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]);
  return make('dl', { className: 'facts' }, ...items);
}

// An entry's place: the names of its line and its column, and of its table where another has such an entry too.
function place(entry) {
  const section = entry.closest('.document');
  const [row, table] = [entry.parentElement, entry.closest('table')];
  const names = (line) => [...line.cells].filter((field) => !field.dataset.rests).map((field) => field.textContent.trim());
  const heading = (of, column) => {
    const unit = of.tHead.rows[0].cells[column].querySelector('.unit')?.textContent ?? '';
    return of.tHead.rows[0].cells[column].textContent.replace(unit, '').trim();
  };
  const parts = [...names(row), heading(table, entry.cellIndex)];
  const twins = all('table', section).filter((other) => other !== table
    && [...other.tHead.rows[0].cells].some((_, column) => heading(other, column) === parts.at(-1))
    && [...other.tBodies[0].rows].some((line) => names(line).join('/') === names(row).join('/')));
  const title = twins.length > 0 ? [entry.closest('.scroll').getAttribute('aria-label')] : [];
  return `tables/${section.dataset.document}:${[...title, ...parts].join('/')}`;
}

// The columns that tell most of an entry of the document come first.
function tellingColumns(document, rows) {
  const same = (column) => rows.every((row) => column.at(row) === column.at(rows[0]));
  const metrics = { robust_error: ['attack_error', 'certified_error'] }[document] ?? [document];
  const first = ['cell_id', ...axisNames, 'status', ...metrics, 'lambda', 'sigma', 'relative_gap', 'reason'];
  const rank = (column) => (first.indexOf(column.name) + first.length + 1) % (first.length + 1);
  const sorted = columns.toSorted((a, b) => rank(a) - rank(b));
  const always = (column) => ['cell_id', 'repeat', ...metrics].includes(column.name)
    || (['lambda', 'sigma', 'relative_gap'].includes(column.name) && column.at(rows[0]) !== null);
  const stays = (column) => always(column) || (rows.length === 1 ? first.includes(column.name) : !same(column));
  const shared = rows.length < 2 ? [] : sorted.filter((column) => !stays(column) && column.at(rows[0]) !== null);
  return { varying: sorted.filter(stays), shared };
}

function cellTable(shown, rows) {
  const head = make('tr', {}, ...shown.map((column) => make('th', { scope: 'col', className: column.number ? 'right' : 'left' }, column.name)));
  const lines = rows.map((row) => make('tr', {}, ...shown.map((column) => column.name === 'cell_id' ? identity(row) : field(column, row))));
  const table = make('table', {}, make('thead', {}, head), make('tbody', {}, ...lines));
  return make('div', { className: 'scroll', role: 'region', tabIndex: 0, 'aria-label': 'Cells' }, table);
}

function identity(row) {
  const id = byName.get('cell_id').at(row);
  const button = make('button', { type: 'button' }, id);
  button.addEventListener('click', () => openCell(row));
  return make('td', {}, make('code', {}, button));
}

function openEntry(entry) {
  const rows = rowsOf(data.rests[Number(entry.dataset.rests)]);
  const what = place(entry);
  const numbers = entry.dataset.numbers?.split(' ').join(', ') ?? 'none: no cell has a result';
  const { varying, shared } = tellingColumns(entry.closest('.document').dataset.document, rows);
  const count = `${rows.length} cell${rows.length === 1 ? '' : 's'}`;
  open(what.slice(what.indexOf(':') + 1).replaceAll('/', ' · '),
    make('p', { className: 'shown' }, entry.textContent.trim()),
    facts([['all digits', numbers], ['rests on', count]]),
    command(explain(what)),
    make('h3', {}, 'Cells'),
    rows.length > 0 ? cellTable(varying, rows) : make('p', {}, 'No cell of the run is among them.'),
    ...(shared.length > 0 ? [make('h3', {}, 'The same in all'), facts(shared.map((c) => [c.name, shownValue(c.at(rows[0]))]))] : []));
}

function openCell(row) {
  const id = byName.get('cell_id').at(row);
  const known = columns.filter((column) => column.at(row) !== null);
  open(`Cell ${id}`, command(explain(id)), command(`robust-svm verify ${quoted(data.folder)} --id ${id}`),
    facts(known.map((column) => [column.name, String(column.at(row))])));
}

document.addEventListener('click', (event) => {
  const entry = event.target.closest('.document td[data-rests]');
  if (!entry || !getSelection().isCollapsed) return;
  // Closing the panel leads back to it.
  entry.tabIndex = 0;
  entry.focus();
  openEntry(entry);
});
document.addEventListener('keydown', (event) => {
  const entry = event.target.closest?.('.document td[data-rests]');
  if (entry && (event.key === 'Enter' || event.key === ' ')) {
    event.preventDefault();
    openEntry(entry);
  }
});
