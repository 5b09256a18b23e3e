// Files that are saved from the page, and texts that are copied from it.

const data = JSON.parse(document.getElementById('data').textContent);

function save(name, blob) {
  const link = make('a', { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    say(`${what} copied`);
  } catch {
    say('The browser does not let this page copy: select the text by hand');
  }
}

// A file's bytes, from zlib data in Base64.
async function unpacked(packed) {
  const bytes = Uint8Array.from(atob(packed), (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Response(stream).arrayBuffer();
}

for (const link of all('[data-file]')) {
  link.addEventListener('click', async (event) => {
    event.preventDefault();
    const type = link.dataset.file.endsWith('.csv') ? 'text/csv' : 'application/x-tex';
    save(link.dataset.file, new Blob([await unpacked(data.files[link.dataset.file])], { type: `${type};charset=utf-8` }));
  });
}

// The figure in the colours that it was drawn in, which are those for print.
function drawing(figure) {
  return new XMLSerializer().serializeToString(figure.querySelector('svg'));
}

function savePng(figure, name) {
  const svg = figure.querySelector('svg');
  const image = new Image();
  image.onload = () => {
    const canvas = make('canvas', { width: 2 * svg.width.baseVal.value, height: 2 * svg.height.baseVal.value });
    canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => save(name, blob), 'image/png');
  };
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawing(figure))}`;
}

for (const figure of all('figure[data-figure]')) {
  const name = figure.dataset.figure;
  figure.querySelector('[data-save="svg"]').addEventListener('click', () => {
    save(`${name}.svg`, new Blob([drawing(figure)], { type: 'image/svg+xml' }));
  });
  figure.querySelector('[data-save="png"]').addEventListener('click', () => savePng(figure, `${name}.png`));
}

// A command line with a button that copies it.
function withCopy(command) {
  const line = command.querySelector('code').textContent;
  const button = make('button', { type: 'button', 'aria-label': `Copy the command ${line}` }, 'Copy');
  button.addEventListener('click', () => copy(line, 'Command'));
  command.append(button);
  return command;
}

all('.command').forEach(withCopy);
