// Makes the booking pages more comfortable; they are complete without it.

// In a frame on a page of another site: without header and footer, and that page learns how high the frame must be.
const sites = document.querySelector('meta[name="guichet-sites"]')?.content.split(' ') ?? [];
if (window.parent !== window) {
  document.documentElement.classList.add('framed');
  let site;
  const report = () => {
    if (site) window.parent.postMessage({ guichetHeight: document.body.getBoundingClientRect().height }, site);
  };
  addEventListener('message', ({ source, origin, data }) => {
    if (source !== window.parent || !(sites.includes(origin) || origin === location.origin) || data?.guichet !== 'hello') return;
    site = origin;
    report();
  });
  new ResizeObserver(report).observe(document.body);
  // Only the pages of the booking may stand in the frame.
  for (const link of document.querySelectorAll('a[href]:not([target])')) {
    const { origin, pathname } = new URL(link.href);
    if (origin !== location.origin || !/^\/(event\/[^/]+|order\/.*)$/.test(pathname) || pathname.endsWith('.ics')) {
      link.target = '_blank';
      link.rel = 'noopener';
    }
  }
}

// Buttons beside the number of tickets.
for (const stepper of document.querySelectorAll('.stepper')) {
  const input = stepper.querySelector('input');
  const button = (sign, label, step) => {
    const made = document.createElement('button');
    made.type = 'button';
    made.textContent = sign;
    made.setAttribute('aria-label', `${label}: ${document.getElementById(input.id.replace('q-', 'n-')).textContent}`);
    made.addEventListener('click', () => {
      const value = Math.trunc(Number(input.value)) || 0;
      // Empty in place of zero: the placeholder shows it, and the style knows that nothing is chosen.
      input.value = Math.min(Number(input.max), Math.max(Number(input.min), value + step)) || '';
      input.dispatchEvent(new Event('input', { bubbles: true }));
    });
    return made;
  };
  const fewer = button('−', stepper.dataset.fewer, -1);
  const more = button('+', stepper.dataset.more, 1);
  const refresh = () => {
    const value = Math.trunc(Number(input.value)) || 0;
    // Not `disabled`, which would take the focus away from the button that was pressed.
    fewer.setAttribute('aria-disabled', String(value <= Number(input.min)));
    more.setAttribute('aria-disabled', String(value >= Number(input.max)));
  };
  stepper.prepend(fewer);
  stepper.append(more);
  input.addEventListener('input', refresh);
  refresh();
}

// The bar of a phone leads to the first number, which shows that it is meant.
for (const link of document.querySelectorAll('form.booking a.choose')) {
  link.addEventListener('click', (event) => {
    const stepper = link.closest('form').querySelector('.stepper');
    if (!stepper) return;
    event.preventDefault();
    stepper.style.outline = '3px solid';
    stepper.addEventListener('input', () => (stepper.style.outline = ''), { once: true });
    stepper.scrollIntoView({ block: 'center' });
    stepper.lastElementChild.focus({ preventScroll: true });
  });
}

// What the chosen tickets cost, in place of the lowest price.
for (const total of document.querySelectorAll('form.booking output[data-currency]')) {
  const { form } = total;
  const { currency, one, many, free } = total.dataset;
  const money = new Intl.NumberFormat(document.documentElement.lang, {
    style: 'currency',
    currency,
    trailingZeroDisplay: 'stripIfInteger',
  });
  const [note, sum] = total.children;
  const before = sum.textContent;
  const show = () => {
    let [tickets, items, cents] = [0, 0, 0];
    for (const input of form.querySelectorAll('input[name="quantity"]')) {
      const number = Math.max(0, Math.trunc(Number(input.value)) || 0);
      const price = input.closest('.price');
      const typed = price.querySelector('input[name="amount"]:not([type="hidden"])');
      const own = (!typed?.value && price.querySelector('input[type="radio"]:checked')) || typed;
      items += number;
      if ('admits' in input.dataset) tickets += number;
      cents += number * (own ? Math.round(Number(own.value.replace(',', '.')) * 100) || 0 : Number(input.dataset.cents));
    }
    note.hidden = tickets === 0;
    note.textContent = tickets === 1 ? one : many.replace('{count}', tickets);
    sum.textContent = items === 0 ? before : cents > 0 ? money.format(cents / 100) : free;
  };
  form.addEventListener('input', show);
  // Also after *Back*, when the browser kept the numbers.
  addEventListener('pageshow', show);
  show();
}

// A second click while the first one is sent does nothing.
for (const form of document.querySelectorAll('form.booking, form.order')) {
  let isSent = false;
  form.addEventListener('submit', (event) => {
    if (isSent) event.preventDefault();
    isSent = true;
    form.setAttribute('aria-busy', 'true');
  });
  // The page comes back from the browser's memory.
  addEventListener('pageshow', () => {
    isSent = false;
    form.removeAttribute('aria-busy');
  });
}

/** Such as `14:05`, and `3:14:05` from an hour on: offers of waiting lists last hours. */
function clockTime(seconds) {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const digits = (number) => String(number).padStart(2, '0');
  return `${hours > 0 ? `${hours}:${digits(minutes)}` : minutes}:${digits(seconds % 60)}`;
}

// The remaining time of a hold: shown every second, said at five minutes, one minute and the end.
for (const clock of document.querySelectorAll('[data-seconds]')) {
  const end = performance.now() + Number(clock.dataset.seconds) * 1000;
  const shown = clock.querySelector('[data-clock]');
  const said = clock.querySelector('[aria-live]');
  let announced = Infinity;
  const timer = setInterval(() => {
    const left = Math.max(0, Math.ceil((end - performance.now()) / 1000));
    shown.textContent = `${clock.dataset.left} ${clockTime(left)}`;
    const mark = [0, 60, 300].find((seconds) => left <= seconds);
    if (mark !== undefined && mark < announced) {
      if (announced !== Infinity || left === mark) said.textContent = mark === 0 ? clock.dataset.over : shown.textContent;
      announced = mark;
    }
    if (left === 0) clearInterval(timer);
  }, 1000);
}

// A page that waits for a payment looks again.
for (const waiting of document.querySelectorAll('[data-again]')) {
  setTimeout(() => location.replace(waiting.dataset.again), 2500);
}

// The page of a place in a queue looks again; only its position changes, so that nobody loses the place on the page.
for (const place of document.querySelectorAll('[data-look-again]')) {
  const look = async () => {
    try {
      const answer = await fetch(location.href, { redirect: 'manual' });
      const isLater = answer.status === 429 || answer.status >= 500;
      const page = answer.status === 200 && new DOMParser().parseFromString(await answer.text(), 'text/html');
      const now = page && page.querySelector('[data-look-again]');
      if (!now && !isLater) return location.reload();
      if (now) {
        place.dataset.lookAgain = now.dataset.lookAgain;
        if (place.textContent !== now.textContent) place.replaceChildren(...now.childNodes);
      }
    } catch {
      // Offline: the next look may succeed.
    }
    later();
  };
  const later = () => setTimeout(() => void look(), place.dataset.lookAgain * 1000);
  later();
}

// What was typed about the buyer stays when another form is sent first, such as that of a code or a donation.
const contact = document.querySelector('form.order input[name="email"]')?.form;
if (contact) {
  const key = 'guichet-contact';
  try {
    for (const [name, value] of JSON.parse(sessionStorage.getItem(key) ?? '[]')) {
      const field = contact.elements[name];
      if (field instanceof HTMLInputElement) field.value ||= value;
    }
    addEventListener('submit', ({ target }) => {
      const fields = [...contact.querySelectorAll('input[autocomplete]:not([autocomplete="off"])')].map(({ name, value }) => [name, value]);
      if (target === contact) sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, JSON.stringify(fields));
    });
  } catch {
    // The browser stores nothing for this site.
  }
}
