// What every part of the page uses; the choice of colours.

const all = (selector, root = document) => [...root.querySelectorAll(selector)];

// An element with properties and children; texts are never read as HTML.
function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in element) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

let silence;
function say(text) {
  const status = document.querySelector('.status');
  status.textContent = text;
  clearTimeout(silence);
  silence = setTimeout(() => { status.textContent = ''; }, 2500);
}

// The choice is remembered where the browser lets a page remember.
const memory = {
  get() { try { return localStorage.getItem('robust-svm-scheme'); } catch { return null; } },
  set(scheme) { try { localStorage.setItem('robust-svm-scheme', scheme); } catch { /* it lasts as long as the page */ } },
};

function choose(scheme) {
  if (scheme === 'auto') delete document.documentElement.dataset.scheme;
  else document.documentElement.dataset.scheme = scheme;
  for (const button of all('[data-scheme-choice]')) {
    button.setAttribute('aria-pressed', String(button.dataset.schemeChoice === scheme));
  }
}

const remembered = memory.get();
choose(['light', 'dark'].includes(remembered) ? remembered : 'auto');
for (const button of all('[data-scheme-choice]')) {
  button.addEventListener('click', () => {
    choose(button.dataset.schemeChoice);
    memory.set(button.dataset.schemeChoice);
  });
}
for (const element of all('.scheme, .scripted, .cells-view')) element.hidden = false;
for (const element of all('.without-script')) element.hidden = true;
if (matchMedia('(max-width: 900px)').matches) document.querySelector('.contents details').open = false;
