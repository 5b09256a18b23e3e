// All cells, a page at a time.

function cellsView(holder) {
  const size = 50;
  const varying = columns.filter((column) => !column.constant);
  const constant = columns.filter((column) => column.constant && column.at(0) !== null);
  const first = ['cell_id', ...axisNames, 'status', 'accuracy', 'noisy_accuracy', 'attack_error', 'certified_error', 'lambda', 'sigma', 'relative_gap'];
  const rank = (column) => (first.indexOf(column.name) + first.length + 1) % (first.length + 1);
  const shown = varying.toSorted((a, b) => rank(a) - rank(b));
  const everyRow = [...Array(data.count).keys()];
  let [order, filtered, page] = [everyRow, everyRow, 0];

  const input = searchBox('the cells', filter);
  const facets = ['dataset', 'map', 'method', 'bound', 'level', 'repeat', 'status'].flatMap((name) => {
    const column = shown.find((other) => other.name === name);
    if (!column) return [];
    const values = [...new Set(everyRow.map((row) => column.at(row)))].sort((a, b) => compareKeys(a, b, 1));
    const [label, select] = chooser(name, values.map(String), filter);
    return [{ label, select, column }];
  });
  const count = make('span', { className: 'count', role: 'status' });
  const head = make('tr');
  const body = make('tbody');
  const table = make('table', {}, make('thead', {}, head), body);
  for (const column of shown) {
    const heading = make('th', { scope: 'col', className: column.number ? 'right' : 'left', 'data-key': column.name }, column.name);
    head.append(heading);
    sortable(heading, (sign) => {
      order = sign === 0 ? everyRow : everyRow.toSorted((a, b) => compareKeys(column.at(a), column.at(b), sign));
      filter();
    });
  }
  const back = make('button', { type: 'button' }, 'Previous');
  const on = make('button', { type: 'button' }, 'Next');
  const where = make('span', { role: 'status' });
  back.addEventListener('click', () => turn(page - 1));
  on.addEventListener('click', () => turn(page + 1));

  // Texts and whole numbers are found by the filter.
  const searched = shown.filter((column) => !column.number || axisNames.includes(column.name));
  const texts = everyRow.map((row) => searched.map((column) => String(column.at(row) ?? '')).join(' ').toLowerCase());
  function filter() {
    const words = wordsOf(input);
    const chosen = facets.filter(({ select }) => select.value);
    filtered = order.filter((row) => hasWords(texts[row], words)
      && chosen.every(({ select, column }) => String(column.at(row)) === select.value));
    count.textContent = filtered.length === data.count ? `${data.count} cells` : `${filtered.length} of ${data.count} cells`;
    turn(0);
  }
  function turn(to) {
    page = to;
    const rows = filtered.slice(page * size, (page + 1) * size);
    body.replaceChildren(...rows.map((row) => make('tr', {}, ...shown.map((column) => column.name === 'cell_id' ? identity(row) : field(column, row)))));
    const pages = Math.max(1, Math.ceil(filtered.length / size));
    where.textContent = `page ${page + 1} of ${pages}`;
    back.disabled = page === 0;
    on.disabled = page + 1 === pages;
  }

  const region = make('div', { className: 'scroll', role: 'region', tabIndex: 0, 'aria-label': 'All cells' }, table);
  const same = constant.map((column) => `${column.name} = ${shownValue(column.at(0))}`).join(', ');
  holder.append(make('div', { className: 'tools' }, input, ...facets.map((facet) => facet.label), count), region,
    make('div', { className: 'pages' }, back, where, on),
    ...(same ? [make('p', { className: 'note' }, `The same in all cells: ${same}.`)] : []));
  filter();
}

if (data.count > 0) cellsView(document.querySelector('.cells-view'));
