import type { WholeReservation } from '#tickets';
import { currentLanguage, databaseNow, dotted, escapeHtml, grouped, isoInZone, sumOf, untilWhen } from '#kernel';
import { amountWords, faultHtml, whenHtml } from '#page-kit';
import { orderWords, orderWordsFor } from './order.words.js';

type Order = Pick<WholeReservation, 'event' | 'tickets' | 'options' | 'amount' | 'expiresAt'>;

/** Name and date of the event. */
export function orderHeadHtml({ event }: Pick<Order, 'event'>, timeZone: string): string {
  const language = currentLanguage();
  return `<header>
<p class="kind">${escapeHtml(orderWords[language].kind)}</p>
<h1 dir="auto"${event.name.length > 90 ? ' class="long"' : ''}>${escapeHtml(event.name)}</h1>
<p>${whenHtml(event, language, timeZone)}</p>
</header>`;
}

/** The tickets as a list, with the chosen options. */
export function ticketLinesHtml({ tickets, options }: Pick<Order, 'tickets' | 'options'>): string {
  const language = currentLanguage();
  const lines = [...grouped(tickets, ({ priceId, amount: each }) => `${priceId} ${each}`).values()].map((same) => {
    const [{ price }] = same as [Order['tickets'][number]];
    const name = price.name === price.product.name ? price.name : `${price.product.name} · ${price.name}`;
    const sum = escapeHtml(amountWords(sumOf(same) as `${number}`, language));
    return `<li><span>${same.length} × <bdi>${escapeHtml(name)}</bdi></span> <span class="amount">${sum}</span></li>`;
  });
  const chosen = options.length === 0 ? '' : `<p class="hint">${dotted(options.map(({ name }) => `<bdi>${escapeHtml(name)}</bdi>`))}</p>\n`;
  return `<ul class="prices">
${lines.join('\n')}
</ul>
${chosen}`;
}

/** The tickets with their sum. @param change path of the form that changes them */
export function orderLinesHtml(order: Order, change?: string, fault?: string): string {
  const language = currentLanguage();
  const words = orderWordsFor(language, order.tickets);
  return `<section id="tickets" tabindex="-1"${fault === undefined ? '' : ' class="wrong"'}>
<h2>${escapeHtml(words.summary)}</h2>
${faultHtml('tickets', fault)}
${ticketLinesHtml(order)}<p class="sum"><span>${escapeHtml(words.total)}</span>
<strong>${escapeHtml(amountWords(order.amount as `${number}`, language))}</strong></p>
${change === undefined ? '' : `<p><a href="${escapeHtml(change)}">${escapeHtml(words.change)}</a></p>\n`}</section>`;
}

/** Until when tickets that are to be confirmed are held, as a sentence; none after that. */
export function heldSentences(until: Date | null, tickets: Order['tickets'], timeZone: string): string[] {
  if (!until || until <= databaseNow()) return [];
  const language = currentLanguage();
  return [orderWordsFor(language, tickets).sentUntil(untilWhen(until, language, timeZone))];
}

/**
 * Until when the tickets are held; with a script the time counts down and is announced now and then.
 * @param step what the sentence says: only that they are held, or that they are to be paid, too
 */
export function holdHtml(
  { expiresAt, tickets }: Pick<Order, 'expiresAt' | 'tickets'>,
  timeZone: string,
  step: 'heldUntil' | 'payText' = 'heldUntil',
): string {
  if (expiresAt === null) return '';
  const language = currentLanguage();
  const words = orderWordsFor(language, tickets);
  const time = untilWhen(expiresAt, language, timeZone);
  const seconds = Math.floor((expiresAt.getTime() - databaseNow().getTime()) / 1000);
  if (seconds <= 0) return `<p class="hold">${escapeHtml(words.wasHeld(time))}</p>`;
  const [before = '', after = ''] = words[step]('\u0000').split('\u0000');
  const shown = `${escapeHtml(before)}<time datetime="${isoInZone(expiresAt, timeZone)}">${escapeHtml(time)}</time>${escapeHtml(after)}`;
  return `<p class="hold" data-seconds="${seconds}" data-left="${escapeHtml(words.timeLeft)}" data-over="${escapeHtml(words.over)}">${shown}
<strong data-clock aria-hidden="true"></strong><span class="implied" aria-live="polite"></span></p>`;
}
