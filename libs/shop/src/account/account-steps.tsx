import { CheckboxField, FaultSummary, InputField } from '#page-kit';
import { accountLinkMinutes, type ErasureObstacle } from '#holders';
import { currentLanguage } from '#kernel';
import type { VNode } from 'preact';
import { orderWords } from '../frame/order.words.js';
import { FormAgain } from '../order/send-again.js';
import { MailedStep, Step } from '../frame/step.js';
import { accountWords } from './account.words.js';

interface AskLinkProps {
  /** The address as it was typed. */
  readonly typed: string;
  /** Own path to which the visitor returns. */
  readonly next: string | undefined;
  readonly fault: string | undefined;
  /** Whether the server sends mail. */
  readonly isMailed: boolean;
  /** Whether the next page shows the link instead. */
  readonly showsLink: boolean;
}

/** The form that asks for a link. */
export function AskLink({ typed, next, fault, isMailed, showsLink }: AskLinkProps): VNode {
  const language = currentLanguage();
  const words = accountWords[language];
  const faults = new Map(fault === undefined ? [] : [['email', fault] as const]);
  const attributes = { type: 'email', value: typed.slice(0, 254), required: true, maxlength: 254, autocomplete: 'email' };
  return (
    <>
      <p>{isMailed || showsLink ? words.ask : words.kept}</p>
      <FaultSummary title={orderWords[language].faults} faults={faults} />
      <form class="sheet order" method="post" action="/account" novalidate>
        {next !== undefined && <input type="hidden" name="next" value={next} />}
        <InputField field={{ name: 'email', label: words.email, hint: words.emailHint, fault }} attributes={attributes} />
        <p class="closing">
          <button class="button">{words.send}</button>
        </p>
      </form>
    </>
  );
}

interface SentLinkProps {
  readonly email: string;
  /** Whether the server sends mail. */
  readonly isMailed: boolean;
  readonly mailLink: string | undefined;
}

/** What is said after the form, the same for every address. */
export function SentLink({ email, isMailed, mailLink }: SentLinkProps): VNode {
  const words = accountWords[currentLanguage()];
  const said = { title: words.sent, text: words.sentText(email, accountLinkMinutes), kept: words.kept };
  return (
    <MailedStep isSent={isMailed} said={said} mailLink={mailLink}>
      <FormAgain path="/account" />
    </MailedStep>
  );
}

/** The button that uses the link. @param props.path of the link */
export function OpenLink({ email, path }: { readonly email: string; readonly path: string }): VNode {
  const words = accountWords[currentLanguage()];
  return (
    <Step title={words.openTitle} lines={[words.openText(email)]}>
      <form class="order" method="post" action={path}>
        <button class="button">{words.open}</button>
      </form>
    </Step>
  );
}

/** Says that the link was used, or that its time has ended. */
export function GoneLink(): VNode {
  const words = accountWords[currentLanguage()];
  return (
    <Step title={words.goneTitle} lines={[words.goneText(accountLinkMinutes)]}>
      <p>
        <a class="button" href="/account">
          {words.again}
        </a>
      </p>
    </Step>
  );
}

interface ErasureProps {
  /** Why the account cannot be erased now. */
  readonly obstacle: ErasureObstacle | undefined;
  readonly hasCards: boolean;
  /** The box was not ticked. */
  readonly isUnsure: boolean;
}

/** Says what is erased and what is kept, and asks once. */
export function Erasure({ obstacle, hasCards, isUnsure }: ErasureProps): VNode {
  const language = currentLanguage();
  const words = accountWords[language];
  if (obstacle)
    return (
      <>
        <Step title={words.notNow} lines={[obstacle === 'coming' ? words.notComing : words.notPayment]} />
        <ErasedData hasCards={hasCards} />
      </>
    );
  const fault = isUnsure ? words.notSure : undefined;
  const faults = new Map(fault === undefined ? [] : [['sure', fault] as const]);
  return (
    <>
      <FaultSummary title={orderWords[language].faults} faults={faults} />
      <ErasedData hasCards={hasCards} />
      <form class="sheet order" method="post" action="/account/erase" novalidate>
        <div class="closing">
          <CheckboxField field={{ name: 'sure', label: words.sure, fault }} checked={false} attributes={{ required: true }} />
          <p>
            <button class="button">{words.eraseDo}</button>
          </p>
        </div>
      </form>
    </>
  );
}

function ErasedData({ hasCards }: Pick<ErasureProps, 'hasCards'>): VNode {
  const words = accountWords[currentLanguage()];
  const lines = [words.erased, words.keptSales, words.endsMemberships, ...(hasCards ? [words.keptCards] : []), words.irrevocable];
  return (
    <section class="prose">
      {lines.map((line) => (
        <p>{line}</p>
      ))}
    </section>
  );
}

/** Says that the erasure was asked for. */
export function Erasing(): VNode {
  const words = accountWords[currentLanguage()];
  return <Step title={words.erasing} lines={[words.erasingText]} />;
}
