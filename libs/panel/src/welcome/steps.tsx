import type { Language } from '#kernel';
import { currentPanelRequest, newHref, pageHref } from '#panel-kit';
import type { VNode } from 'preact';
import { entryWords } from '../transfers/transfers.words.js';
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
      {!currentPanelRequest().support && (
        <p class="gt-help">
          {payment.transfer} <a href={pageHref('bank-entries', 'transferAccount')}>{entryWords[language].actions.transferAccount}</a>
        </p>
      )}
      <p class="gt-help">{payment.currency}</p>
      <button class="gt-button" type="submit">
        {save}
      </button>
    </form>
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
