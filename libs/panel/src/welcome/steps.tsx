import type { Language } from '#kernel';
import { newHref, PANEL_PATH, recordHref } from '#panel-kit';
import type { VNode } from 'preact';
import { unbookableNote } from '../forms/unbookable.js';
import { paymentWays, type PaymentWay } from './welcome.changes.js';
import { welcomePath } from './welcome.path.js';
import type { WelcomeFacts } from './welcome.reader.js';
import { welcomeWords } from './welcome.words.js';

interface StepProps {
  readonly facts: WelcomeFacts;
  readonly language: Language;
}

/** The way that is stored; at the venue, until one is. */
function wayOf({ paysOnline, isFree }: WelcomeFacts): PaymentWay {
  if (paysOnline) return 'online';
  return isFree ? 'free' : 'venue';
}

/** The form of the second step: how guests pay. */
export function PaymentStep({ facts, language }: StepProps): VNode {
  const { payment, save } = welcomeWords[language];
  const chosen = wayOf(facts);
  return (
    <form method="post" action={`${welcomePath}/payment`} enctype="multipart/form-data">
      <fieldset class="gt-welcome-ways">
        <legend>{payment.legend}</legend>
        {paymentWays.map((way) => (
          <label class="gt-check">
            <input type="radio" name="way" value={way} checked={way === chosen} />
            <span>
              <b>{payment.ways[way].title}</b>
              <br />
              <small>{payment.ways[way].text}</small>
            </span>
          </label>
        ))}
      </fieldset>
      <button class="gt-button" type="submit">
        {save}
      </button>
    </form>
  );
}

/** The third step: leads to the one form for a new event, and says what is still missing. */
export function EventStep({ facts: { event, reason }, language }: StepProps): VNode {
  const words = welcomeWords[language].event;
  const note = event && reason && unbookableNote(event.id, reason, language);
  return (
    <>
      <p>{words.text}</p>
      {event && (
        <p>
          <a href={recordHref('events', event.id)}>{event.name}</a> · {event.published ? words.published : words.unpublished}
        </p>
      )}
      {note && (
        <p class="gt-note">
          <a href={note.href}>{note.text}</a>
        </p>
      )}
      <p>
        <a class={event ? 'gt-button gt-button-quiet' : 'gt-button'} href={`${PANEL_PATH}/resources/events/actions/setUp`}>
          {event ? words.another : words.create}
        </a>
      </p>
    </>
  );
}

/** The last step of a place that sells no tickets. */
export function MembershipStep({ language }: StepProps): VNode {
  const words = welcomeWords[language].membership;
  return (
    <>
      <p>{words.text}</p>
      <p>
        <a class="gt-button" href={newHref('products', {})}>
          {words.create}
        </a>
      </p>
    </>
  );
}
