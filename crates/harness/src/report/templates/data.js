// The cells: columns by name, and the value of a row in them.

const columns = data.columns.map((column) => ({
  name: column.name,
  number: column.number,
  constant: 'all' in column,
  at: 'all' in column ? () => column.all
    : 'words' in column ? (row) => column.words[0][column.words[1][row]]
      : (row) => column.each[row],
}));
const byName = new Map(columns.map((column) => [column.name, column]));
const axisNames = ['dataset', 'map', 'noise', 'method', 'bound', 'n', 'size', 'level', 'gamma', 'repeat'];

// A value as people read it.
function shownValue(value) {
  if (value === null) return '—';
  if (typeof value !== 'number' || Number.isInteger(value)) return String(value).replace(/^-/, '−');
  const size = Math.abs(value);
  const text = size >= 1e-3 && size < 1e6 ? String(Number(value.toPrecision(5))) : value.toExponential(2);
  return text.replaceAll('-', '−');
}

function field(column, row) {
  const value = column.at(row);
  const cell = make('td', { className: column.number ? 'right' : 'left' }, shownValue(value));
  if (typeof value === 'number' && !Number.isInteger(value)) cell.title = String(value);
  return cell;
}

const agrees = (name, row, wanted) => {
  const column = byName.get(name);
  if (!column) return false;
  const value = column.at(row);
  return wanted === null || value === null ? value === wanted
    : column.number ? Number(wanted) === value : String(wanted) === value;
};

// Whether a row is one of the cells that `rest`, an entry's claim, names.
function isOf(rest, row) {
  const { further = {}, ...axes } = rest;
  return [...Object.entries(axes), ...Object.entries(further)].every(([name, wanted]) => agrees(name, row, wanted));
}

function rowsOf(rests) {
  const rows = [...Array(data.count).keys()].filter((row) => rests.some((rest) => isOf(rest, row)));
  const order = axisNames.filter((name) => byName.has(name)).map((name) => byName.get(name));
  return rows.sort((a, b) => {
    for (const column of order) {
      const [x, y] = [column.at(a), column.at(b)];
      const by = typeof x === 'number' && typeof y === 'number' ? x - y : collator.compare(String(x), String(y));
      if (by !== 0) return by;
    }
    return a - b;
  });
}
