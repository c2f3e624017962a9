import type { Language } from '#kernel';
import type { PracticeTicket } from '#scan';
import type { VNode } from 'preact';
import { welcomePath } from './welcome.path.js';

import { welcomeWords } from './welcome.words.js';

/** A practice ticket with its pictures. */
export interface ShownPractice extends PracticeTicket {
  readonly id: string;
  /** The address that pairs a phone. */
  readonly address: string;
  readonly addressPicture: string;
  readonly ticketPicture: string;
}

interface PracticeProps {
  readonly language: Language;
  /** The ticket that was bought; undefined: none. */
  readonly shown: ShownPractice | undefined;
  readonly isDone: boolean;
}

/** The last step of a place that sells tickets: a test ticket, and a phone that scans it. */
export function PracticeStep({ language, shown, isDone }: PracticeProps): VNode {
  const { practice } = welcomeWords[language];
  const buy = (
    <form method="post" action={`${welcomePath}/practice`}>
      <button class={shown || isDone ? 'gt-button gt-button-quiet' : 'gt-button'} type="submit">
        {shown ? practice.another : practice.buy}
      </button>
    </form>
  );
  if (!shown)
    return (
      <>
        <p>{practice.text}</p>
        {buy}
      </>
    );
  return (
    <>
      {shown.isScanned ? (
        <p class="gt-note" role="status">
          {practice.scanned}
        </p>
      ) : (
        <p class="gt-note gt-welcome-second" role="status">
          {shown.isPaired ? practice.paired : practice.waits}
        </p>
      )}
      <ol class="gt-welcome-codes gt-welcome-second">
        <li>
          <h3>{practice.phone}</h3>
          <p>
            <a href={shown.address}>{practice.phoneHere}</a>
          </p>
          <p>{practice.phoneHow}</p>
          <img src={shown.addressPicture} alt={practice.phoneCode} width={200} height={200} />
        </li>
        <li>
          <h3>{practice.ticket}</h3>
          <img src={shown.ticketPicture} alt={practice.ticketCode} width={200} height={200} />
          <p>{practice.ticketHow}</p>
        </li>
      </ol>
      {!shown.isScanned && (
        <form class="gt-welcome-here" method="post" action={`${welcomePath}/practice/here`}>
          <input type="hidden" name="practice" value={shown.id} />
          <p>
            {practice.oneDevice}{' '}
            <button class="gt-button gt-button-quiet" type="submit">
              {practice.checkHere}
            </button>
          </p>
        </form>
      )}
      {buy}
    </>
  );
}
