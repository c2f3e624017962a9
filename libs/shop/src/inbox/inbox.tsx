import type { WholeReservation } from '#tickets';
import { currentLanguage, databaseNow, untilWhen } from '#kernel';
import { DemoLink, InputField, VenueHelp, type Venue } from '#page-kit';
import { currentTenant } from '#tenancy';
import type { ComponentChildren, VNode } from 'preact';
import type { OrderWords } from '../frame/order.words.js';
import { EmailField } from '../frame/email-field.js';
import { Hold } from '../frame/order-summary.js';
import { HeldCard } from './held-card.js';
import { inboxWords } from './inbox.words.js';

/** What was sent to the page of an order that awaits its confirmation, and what came of it. */
export interface SentMail {
  /** Of the order. */
  readonly path: string;
  /** The mail was just sent again. */
  readonly isSentAgain?: boolean;
  /** The address that was typed, and why it was refused. */
  readonly email?: string;
  readonly fault?: string;
  /** Why the code was refused. */
  readonly codeFault?: string | undefined;
  readonly status?: number;
}

/** An order that awaits the confirmation of its address. */
interface Awaiting {
  /** The reservations that await it, at least one. */
  readonly parts: readonly WholeReservation[];
  /** The earliest end of their holds. */
  readonly heldUntil: Date | null;
  readonly words: OrderWords;
  /** Where the mail went, and what is to be done, unless it has a code. */
  readonly text: string;
  /** What follows the confirmation. */
  readonly after: readonly string[];
}

interface InboxProps extends Awaiting {
  readonly mail: SentMail;
  readonly venue: Venue;
  /** Whether the server sends mail. */
  readonly isMailed: boolean;
  /** Path of the link of the mail, where the page may show it. */
  readonly mailLink: string | undefined;
  /** Other parts of the order. */
  readonly children?: ComponentChildren;
}

/** The page after an order whose address is to be confirmed, with the code or the link of its mail. */
export function Inbox(props: InboxProps): VNode {
  const { parts, heldUntil, words, after, isMailed, mailLink, children } = props;
  const isOver = heldUntil === null || heldUntil <= databaseNow();
  return (
    <div class="columns inbox">
      {isOver ? <Over {...props} /> : isMailed ? <Mailed {...props} /> : <Kept words={words} venue={props.venue} mailLink={mailLink} />}
      {!isOver && (
        <aside class="columns-side flow" aria-labelledby="held">
          <HeldCard parts={parts} heldUntil={heldUntil} />
          {after.map((line) => (
            <p class="small">{line}</p>
          ))}
        </aside>
      )}
      {children}
    </div>
  );
}

/** Where the server sends no mail. */
function Kept({ words, venue, mailLink }: Pick<InboxProps, 'words' | 'venue' | 'mailLink'>): VNode {
  return (
    <>
      <div class="page-head">
        <h1>{words.keptTitle}</h1>
      </div>
      <div class="columns-main">
        {mailLink === undefined ? (
          <>
            <p class="lead">{words.kept}</p>
            <VenueHelp venue={venue} lead={words.askVenue} />
          </>
        ) : (
          <DemoLink path={mailLink} />
        )}
      </div>
    </>
  );
}

/** What to do with the mail. */
function Mailed(props: InboxProps): VNode {
  const { parts, heldUntil, words, text, mail, venue } = props;
  const [{ email, confirmation }] = parts as readonly [WholeReservation];
  const own = inboxWords[currentLanguage()];
  const isByCode = confirmation === 'code';
  const tickets = parts.flatMap((part) => part.tickets);
  const hold = <Hold order={{ expiresAt: heldUntil, tickets }} timeZone={currentTenant().timeZone} step="sentUntil" />;
  return (
    <>
      <div class="page-head">
        <h1>{words.sent}</h1>
        {mail.isSentAgain === true && <p role="status">{words.sentAgain}</p>}
        <p class="lead">{isByCode ? own.text(email) : text}</p>
      </div>
      <div class="columns-main">
        {isByCode ? <CodeForm mail={mail}>{hold}</CodeForm> : hold}
        <section class="part">
          <h2>{own.noMail}</h2>
          <div class="fields">
            <p>{words.sentSpam}</p>
            <form class="actions" method="post" action={`${mail.path}/email`}>
              <input type="hidden" name="email" value={email} />
              <button class="button other">{words.sendAgain}</button>
            </form>
            <CorrectionForm current={email} mail={mail} />
            <VenueHelp venue={venue} lead={own.ask} />
          </div>
        </section>
      </div>
    </>
  );
}

function CodeForm({ mail, children }: { readonly mail: SentMail; readonly children: ComponentChildren }): VNode {
  const { path, codeFault: fault } = mail;
  const words = inboxWords[currentLanguage()];
  const digits = { inputmode: 'numeric', autocomplete: 'one-time-code', pattern: '[0-9]{6}', maxlength: 6, required: true } as const;
  return (
    <form class="part" method="post" action={`${path}/code`} novalidate>
      <InputField field={{ name: 'code', label: words.code, fault }} attributes={{ class: 'six', ...digits }} />
      <p class="below">
        <button class="button">{words.confirm}</button>
      </p>
      {children}
    </form>
  );
}

/** The form with which a buyer has the mail sent to another address. */
function CorrectionForm({ current, mail }: { readonly current: string; readonly mail: SentMail }): VNode {
  const { path, email = current, fault } = mail;
  const words = inboxWords[currentLanguage()];
  return (
    <form method="post" action={`${path}/email`} novalidate>
      <EmailField
        label={words.correct}
        value={email}
        hint={words.correctHint}
        fault={fault}
        wrap={(control) => (
          <div class="with-button narrow">
            {control}
            <button class="button other">{words.change}</button>
          </div>
        )}
      />
    </form>
  );
}

/** The time to confirm is over: how to book again. */
function Over({ parts, heldUntil, venue }: InboxProps): VNode {
  const language = currentLanguage();
  const words = inboxWords[language];
  const [{ email }] = parts as readonly [WholeReservation];
  const until = heldUntil === null ? '' : untilWhen(heldUntil, language, currentTenant().timeZone);
  const events = new Map(parts.map(({ event }) => [event.slug, event.name]));
  return (
    <div class="page-head">
      <h1>{words.overTitle}</h1>
      <p class="lead">{words.overText(email, until)}</p>
      {events.size === 1 ? (
        <p>
          <a class="button" href={`/event/${[...events.keys()][0]}`}>
            {words.again}
          </a>
        </p>
      ) : (
        <>
          <p>{words.again}</p>
          <ul>
            {[...events].map(([slug, name]) => (
              <li>
                <a href={`/event/${slug}`} dir="auto">
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
      <VenueHelp venue={venue} lead={words.askVenue} />
    </div>
  );
}
