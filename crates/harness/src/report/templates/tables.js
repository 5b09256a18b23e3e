// Tables: sorted by a column, filtered, walked through by keys.

const collator = new Intl.Collator('en', { numeric: true });

// What a column sorts by: the first number of an entry, or its text; nothing for an entry without a result.
function sortKey(field) {
  if (field.dataset.numbers) return Number(field.dataset.numbers.split(' ')[0]);
  const text = field.textContent.trim();
  if (text === '' || text === '—') return null;
  const number = Number(text.replace('−', '-'));
  return Number.isNaN(number) ? text : number;
}

// Numbers before texts; what is missing comes last in either direction.
function compareKeys(a, b, sign) {
  if (a === null || b === null) return (a === null) - (b === null);
  if (typeof a !== typeof b) return typeof a === 'number' ? -1 : 1;
  return sign * (typeof a === 'number' ? a - b : collator.compare(a, b));
}

// A heading that sorts: upwards, downwards, as it was.
function sortable(heading, onSort) {
  const button = make('button', { type: 'button' }, ...heading.childNodes);
  heading.replaceChildren(button);
  heading.setAttribute('aria-sort', 'none');
  button.addEventListener('click', () => {
    const next = { none: 'ascending', ascending: 'descending', descending: 'none' };
    const direction = next[heading.getAttribute('aria-sort')];
    for (const other of heading.parentElement.children) other.setAttribute('aria-sort', 'none');
    heading.setAttribute('aria-sort', direction);
    onSort({ ascending: 1, descending: -1, none: 0 }[direction]);
  });
}

function chooser(name, values, onChange) {
  const select = make('select', {}, make('option', { value: '' }, 'all'));
  for (const value of values) select.append(make('option', { value }, value));
  select.addEventListener('change', onChange);
  return [make('label', {}, name, select), select];
}

function searchBox(what, onInput) {
  const input = make('input', { type: 'search', placeholder: 'Filter …' });
  input.setAttribute('aria-label', `Filter ${what}`);
  input.addEventListener('input', onInput);
  return input;
}

// Whether every word is in the text, both in lower case.
const hasWords = (text, words) => words.every((word) => text.includes(word));
const wordsOf = (input) => input.value.toLowerCase().split(/\s+/).filter(Boolean);

function tools(holder) {
  const table = holder.querySelector('table');
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const headings = [...table.tHead.rows[0].cells];
  const names = headings.map((heading) => heading.textContent.trim());
  const texts = rows.map((row) => row.textContent.toLowerCase());
  headings.forEach((heading, column) => sortable(heading, (sign) => {
    const keys = new Map(rows.map((row) => [row, sortKey(row.cells[column])]));
    body.append(...(sign === 0 ? rows : rows.toSorted((a, b) => compareKeys(keys.get(a), keys.get(b), sign))));
  }));

  const input = searchBox(`the table ${holder.querySelector('.scroll').getAttribute('aria-label')}`, filter);
  const facets = headings.flatMap((heading, column) => {
    if (!('facet' in heading.dataset)) return [];
    const values = [...new Set(rows.map((row) => row.cells[column].textContent.trim()))];
    if (values.length < 2) return [];
    const [label, select] = chooser(names[column], values, filter);
    return [{ label, select, column }];
  });
  const count = make('span', { className: 'count', role: 'status' });
  function filter() {
    const words = wordsOf(input);
    let shown = 0;
    rows.forEach((row, index) => {
      const chosen = facets.every(({ select, column }) => !select.value || row.cells[column].textContent.trim() === select.value);
      row.hidden = !(chosen && hasWords(texts[index], words));
      shown += !row.hidden;
    });
    count.textContent = shown === rows.length ? `${rows.length} lines` : `${shown} of ${rows.length} lines`;
    grid.refresh();
  }
  const button = make('button', { type: 'button' }, 'Copy');
  button.addEventListener('click', () => {
    const shown = [...body.rows].filter((row) => !row.hidden);
    const lines = shown.map((row) => [...row.cells].map((field) => field.textContent.trim()));
    copy([names, ...lines].map((fields) => fields.join('\t')).join('\n'), 'Table');
  });
  const bar = make('div', { className: 'tools' }, input, ...facets.map((facet) => facet.label), button, count);
  holder.prepend(bar);
  const grid = walkable(table);
  filter();
}

// One stop of the tab key a table; arrow keys go on from there, and Enter opens what an entry rests on.
function walkable(table) {
  table.setAttribute('role', 'grid');
  let current = null;
  const shownRows = () => [...table.tBodies[0].rows].filter((row) => !row.hidden);
  function stop(field) {
    if (current) current.tabIndex = -1;
    current = field;
    if (current) current.tabIndex = 0;
  }
  table.addEventListener('focusin', (event) => {
    const field = event.target.closest('td');
    if (field) stop(field);
  });
  table.addEventListener('keydown', (event) => {
    const field = event.target.closest('td');
    if (!field) return;
    const rows = shownRows();
    const [row, column] = [rows.indexOf(field.parentElement), field.cellIndex];
    const last = field.parentElement.cells.length - 1;
    const moves = {
      ArrowUp: [row - 1, column], ArrowDown: [row + 1, column], ArrowLeft: [row, column - 1], ArrowRight: [row, column + 1],
      Home: [row, 0], End: [row, last],
    };
    const to = moves[event.key];
    const next = to && rows[to[0]]?.cells[to[1]];
    if (to) event.preventDefault();
    if (next) { next.tabIndex = -1; next.focus(); }
  });
  return { refresh() { stop(shownRows()[0]?.querySelector('[data-rests]') ?? shownRows()[0]?.cells[0] ?? null); } };
}

for (const holder of all('.document .table')) tools(holder);
