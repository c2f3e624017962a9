import { currency, currentLanguage, moneyWords } from '#kernel';
import { InputField } from '#page-kit';
import type { OfferedPlaces } from '#selling';
import type { VNode } from 'preact';
import { donationWords } from './donation.words.js';

interface AskPlacesProps {
  readonly offered: OfferedPlaces;
  /** Path that the form is sent to. */
  readonly action: string;
  readonly fault?: string | undefined;
}

/** The form that adds places for others at an event, folded away. */
export function AskPlaces({ offered: { eventId, name, amount }, action, fault }: AskPlacesProps): VNode {
  const language = currentLanguage();
  const words = donationWords[language];
  const field = { name: 'places', label: words.placesNumber, fault };
  return (
    <details class="fold" open={fault !== undefined}>
      <summary class="line">{words.placesHeading}</summary>
      <p class="hint">{words.placesAsk(name, moneyWords(amount, currency, language))}</p>
      <form class="order flow" method="post" action={action} target="_top">
        <input type="hidden" name="event" value={eventId} />
        <InputField field={field} attributes={{ value: '1', inputmode: 'numeric', autocomplete: 'off', maxlength: 3 }} />
        <p>
          <button class="button other">{words.add}</button>
        </p>
      </form>
    </details>
  );
}
