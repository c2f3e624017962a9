// The agenda and single events on pages of other sites: <guichet-agenda limit="10"> and <guichet-event slug="…">.
// The server calls this with its settings. Nothing here writes HTML text or inline styles, so that it runs under a strict policy.
const { origin, sites, words, locale, clock, timeZone } = guichet;
const sheet = new CSSStyleSheet();
sheet.replaceSync(`
:host { display: block; font: inherit; color: inherit; line-height: 1.5; overflow-wrap: anywhere; }
* { box-sizing: border-box; }
ul { list-style: none; margin: 0; padding: 0; }
p, h3 { margin: 0; }
h3 { font-size: 1.2em; line-height: 1.25; }
a { color: inherit; }
li + li { border-top: 1px solid; border-color: color-mix(in srgb, currentColor 25%, transparent); }
li { padding: 0.75em 0; display: grid; grid-template-columns: 1fr auto; gap: 0 1em; }
.name { grid-column: 1 / -1; font-weight: 600; }
.price { text-align: end; }
article { display: grid; gap: 0.6em; }
article img { width: 100%; max-height: 20em; object-fit: cover; border-radius: ${guichet.corner}; }
article li { padding: 0.3em 0; }
iframe { display: block; width: 100%; height: 30em; border: 0; border-radius: ${guichet.corner}; color-scheme: light dark; }
button, .button { font: inherit; display: inline-block; padding: 0.6em 1.2em; border: 0; border-radius: ${guichet.corner}; cursor: pointer;
  background: var(--guichet-accent, ${guichet.accent}); color: var(--guichet-accent-ink, ${guichet.accentInk}); text-decoration: none; }
button { margin-bottom: 1em; }
:focus-visible { outline: 3px solid; outline-offset: 2px; }
`);

const isAllowed = sites.includes(location.origin);
const days = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone });
const hours = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone });

/** Day and time as the venue's pages write them. */
function when(instant) {
  const [hour, minute] = hours.format(instant).split(':');
  const time = minute === '00' ? clock.fullHour : clock.hourAndMinute;
  const shown = time.replace('{hour}', clock.hasTwoDigits ? hour : Number(hour)).replace('{minute}', minute);
  return `${days.format(instant)}, ${shown}`;
}

/** An element with properties and content; absent content is left out. */
function make(tag, properties, ...content) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...content.filter((one) => one !== undefined && one !== ''));
  return made;
}

/** A link to the venue's pages. It leaves this page in a new tab. */
const link = (href, text, properties) => make('a', { href, target: '_blank', rel: 'noopener', textContent: text, ...properties });

const isWeb = (address) => /^https?:\/\//i.test(address ?? '');
const isOff = ({ eventStatus }) => (eventStatus ?? '').endsWith('EventCancelled');
const isSoldOut = ({ availability }) => availability.endsWith('SoldOut');
const place = ({ location: { name, address } = {} }) => name ?? address?.name ?? address?.addressLocality;
const time = ({ startDate }) => make('time', { dateTime: startDate, textContent: when(new Date(startDate)) });

/** What differs from the first announcement, above the time. */
function altered({ eventStatus, previousStartDate, startDate }) {
  const status = (eventStatus ?? '').split('/').pop();
  const isSameDay = previousStartDate && days.format(new Date(previousStartDate)) === days.format(new Date(startDate));
  const state = status === 'EventRescheduled' && isSameDay ? words.newTime : words.states[status];
  return state && make('strong', {}, `${state} `);
}

/** The venue's page of its own event, also when nothing can be booked: it says why, and may have a waiting list. */
const pageOf = ({ sameAs, url, identifier }) => (sameAs ? url : `${origin}/event/${identifier}`);

/** The state or price of an event or offer. */
function price(offer, event = {}) {
  if (isOff(event)) return make('strong', { textContent: words.cancelled });
  if (!offer) return undefined;
  return isSoldOut(offer) ? make('strong', { textContent: words.soldOut }) : offer.description;
}

/** The venue's page of an event in a frame. It says how high it is; both sides check who speaks. */
function frameOf(event) {
  const frame = make('iframe', { src: `${origin}/event/${event.identifier}`, title: `${words.tickets}: ${event.name}` });
  let pages = 0;
  const listen = ({ source, origin: sender, data }) => {
    if (!frame.isConnected) return removeEventListener('message', listen);
    const height = Number(data?.guichetHeight);
    if (sender !== origin || source !== frame.contentWindow || !(height > 0)) return;
    frame.style.height = `${Math.min(Math.ceil(height), 20000)}px`;
  };
  addEventListener('message', listen);
  frame.addEventListener('load', () => {
    frame.contentWindow.postMessage({ guichet: 'hello' }, origin);
    // The next page of the booking begins at its top.
    if ((pages += 1) > 1 && frame.getBoundingClientRect().top < 0) frame.scrollIntoView();
  });
  return frame;
}

/** Whether a click should stay on this page. */
function stays(click) {
  if (click.button || click.ctrlKey || click.metaKey || click.shiftKey || click.altKey) return false;
  click.preventDefault();
  return true;
}

/** Shows what it fetched; a change of an attribute fetches again. */
class GuichetElement extends HTMLElement {
  constructor() {
    super();
    this.attachShadow({ mode: 'open' }).adoptedStyleSheets = [sheet];
  }

  connectedCallback() {
    void this.load();
  }

  attributeChangedCallback(_name, before) {
    if (before !== null && this.isConnected) void this.load();
  }

  async load() {
    const path = this.path();
    this.show(make('p', { textContent: words.loading }));
    try {
      const response = await fetch(origin + path, { credentials: 'omit', referrerPolicy: 'no-referrer' });
      if (!response.ok) throw new Error(`${response.status}`);
      const found = await response.json();
      if (path === this.path()) this.draw(found);
    } catch {
      this.show(make('p', { role: 'alert' }, `${words.failed} `, link(`${origin}/`, words.all)));
    }
  }

  show(...content) {
    this.shadowRoot.replaceChildren(...content);
  }
}

class GuichetEvent extends GuichetElement {
  static observedAttributes = ['slug'];

  path() {
    return `/event/${encodeURIComponent(this.getAttribute('slug') ?? '')}.json`;
  }

  draw(event) {
    const picture = event.image?.[0];
    const offers = (event.offers ?? []).map((offer) =>
      make('li', {}, make('span', {}, offer.name, offer.validForMemberTier && ` (${words.members})`), make('span', {}, price(offer) ?? '')),
    );
    const sale = event.potentialAction?.target;
    const canBook = sale !== undefined;
    const page = pageOf(event);
    const button = link(sale ?? page, canBook ? words.tickets : words.more, { className: 'button' });
    const booking = make('p', {}, button);
    if (canBook && isAllowed) {
      button.addEventListener('click', (click) => {
        if (!stays(click)) return;
        const frame = frameOf(event);
        booking.replaceWith(frame);
        frame.focus();
      });
    }
    this.show(
      make(
        'article',
        {},
        isWeb(picture) ? make('img', { src: picture, alt: '' }) : undefined,
        make('h3', {}, event.name),
        event.alternateName && make('p', {}, event.alternateName),
        make('p', {}, altered(event), time(event)),
        make('p', {}, place(event) ?? ''),
        isOff(event) ? make('p', {}, price(undefined, event)) : undefined,
        offers.length > 0 ? make('ul', {}, ...offers) : undefined,
        canBook || isWeb(page) ? booking : undefined,
      ),
    );
  }
}

class GuichetAgenda extends GuichetElement {
  static observedAttributes = ['limit'];

  path() {
    return '/agenda.json';
  }

  draw(agenda) {
    const events = agenda.results.slice(0, Number(this.getAttribute('limit')) || 10);
    const items = events.map((event) =>
      make(
        'li',
        {},
        this.nameOf(event, agenda),
        make('span', {}, altered(event), time(event), place(event) ? ` · ${place(event)}` : ''),
        this.priceOf(event),
      ),
    );
    this.show(items.length > 0 ? make('ul', {}, ...items) : make('p', {}, words.empty), make('p', {}, link(`${origin}/`, words.all)));
  }

  /** A link; where booking is possible on this page, it opens the event here. */
  nameOf(event, agenda) {
    // The venue's page of its own event, where tickets are sold.
    const isOwn = !event.sameAs && event.organizer.url === `${origin}/`;
    const href = isOwn ? pageOf(event) : event.url;
    const name = isWeb(href) ? link(href, event.name, { className: 'name' }) : make('span', { className: 'name' }, event.name);
    if (!isAllowed || !isOwn) return name;
    name.addEventListener('click', (click) => {
      if (!stays(click)) return;
      const back = make('button', { type: 'button', textContent: `← ${words.all}` });
      back.addEventListener('click', () => {
        this.draw(agenda);
        this.shadowRoot.querySelector('a')?.focus();
      });
      const shown = make('guichet-event', {});
      shown.setAttribute('slug', event.identifier);
      this.show(back, shown);
      back.focus();
    });
    return name;
  }

  priceOf(event) {
    return make('span', { className: 'price' }, price(event.offers, event) ?? '');
  }
}

for (const [name, element] of [
  ['guichet-event', GuichetEvent],
  ['guichet-agenda', GuichetAgenda],
]) {
  // The script may stand on a page twice.
  if (!customElements.get(name)) customElements.define(name, element);
}
