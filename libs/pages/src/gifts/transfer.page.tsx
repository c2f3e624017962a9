import { longestGiftMessage } from '#holders';
import { nameOfHolder } from '#tickets';
import { currentLanguage } from '#kernel';
import { currentTenant } from '#tenancy';
import { FaultSummary, InputField, pageDocument, TextareaField, WayBack } from '#page-kit';
import type { ComponentChildren } from 'preact';
import type { OpenedTicket } from '../holder/pages/held-ticket.js';
import { holderWordsFor } from '../holder/pages/holder.words.js';
import { LastStep, NamePair, type TypedForm } from '../holder/pages/ticket-forms.js';
import { GiftCard, GivenEvent } from './gift-parts.js';
import { giftWordsFor } from '../holder/parts/gift.words.js';

/** What the giver enters. */
export const giftFields = ['email', 'first_name', 'last_name', 'message'] as const;

/** The first step of giving a ticket to somebody else: to whom, and some words. */
export function transferPage(opened: OpenedTicket, { typed, faults }: TypedForm, isMailed: boolean): string {
  const words = giftWordsFor(currentLanguage(), opened.ticket);
  return giftFrame(
    opened,
    <form class="part" method="post" action={`${opened.path}/transfer`} novalidate>
      <div class="ticket ticket-whole">
        <GivenEvent {...opened} />
      </div>
      <h2>{words.who}</h2>
      <FaultSummary title={holderWordsFor(currentLanguage(), [opened.ticket]).faults} faults={faults} />
      <div class="fields">
        <NamePair typed={typed} faults={faults} />
        <InputField
          field={{ name: 'email', label: words.email, fault: faults.get('email') }}
          attributes={{ type: 'email', value: typed['email'] ?? '', required: true, maxlength: 254, autocomplete: 'off' }}
        />
        <TextareaField
          field={{ name: 'message', label: words.message, optional: true, fault: faults.get('message') }}
          attributes={{ rows: 3, maxlength: longestGiftMessage, autocomplete: 'off' }}
          value={typed['message'] ?? ''}
        />
      </div>
      <p>
        <button class="button">{isMailed ? words.look : words.lookKept}</button>
      </p>
    </form>,
  );
}

/** The second step: what is sent to whom. Its form goes back with what was typed, too. */
export function transferLookPage(opened: OpenedTicket, typed: TypedForm['typed'], isMailed: boolean): string {
  const { reservation, ticket, path } = opened;
  const words = giftWordsFor(currentLanguage(), ticket);
  const name = [typed['first_name'], typed['last_name']].map((part) => part?.trim()).filter(Boolean);
  return giftFrame(
    opened,
    <section class="part">
      <h2>{words.right}</h2>
      <GiftCard
        reservation={reservation}
        ticket={ticket}
        message={typed['message']?.trim() ?? ''}
        head={
          <>
            <b dir="auto">{words.to(name.join(' '))}</b>, {typed['email']?.trim()}
          </>
        }
      >
        <p class="small" dir="auto">
          {words.from(nameOfHolder(ticket, reservation))}
        </p>
      </GiftCard>
      <LastStep
        action={`${path}/transfer`}
        fields={giftFields}
        typed={typed}
        end={['send', isMailed ? words.send : words.sendKept]}
        change={words.change}
      >
        {!isMailed && <p>{words.keptHint}</p>}
      </LastStep>
    </section>,
  );
}

function giftFrame({ ticket, back, venue }: OpenedTicket, content: ComponentChildren): string {
  const language = currentLanguage();
  const words = giftWordsFor(language, ticket);
  const tenant = currentTenant();
  const main = (
    <>
      <WayBack path={back} label={holderWordsFor(language, [ticket]).back} />
      <div class="page-head">
        <h1>{words.title}</h1>
        <p class="lead">{words.hint}</p>
      </div>
      <div class="two">{content}</div>
    </>
  );
  return pageDocument({ tenant, language, title: `${words.title} · ${tenant.name}`, main, venue, hasScript: true, sheet: 'holder' });
}
