import type { Language } from '#kernel';
import type { VNode } from 'preact';
import { ListEntry } from '../programme/event-list.js';
import type { EventPageInput } from './event-json-ld.js';
import { seriesWords } from './series.words.js';

interface OthersProps {
  readonly input: EventPageInput;
  readonly language: Language;
}

/** Other coming events of the venue. */
export function Others({ input, language }: OthersProps): VNode | null {
  const { others, tenant, venue, now, booking } = input;
  if (others.length === 0) return null;
  const reading = { now, language, timeZone: tenant.timeZone, venue, paysOnline: booking?.canPay ?? false };
  return (
    <section class="more programme" aria-labelledby="more">
      <h2 id="more">{seriesWords[language].also(tenant.name)}</h2>
      <ol>
        {others.map((event) => (
          <ListEntry event={event} reading={reading} />
        ))}
      </ol>
    </section>
  );
}
