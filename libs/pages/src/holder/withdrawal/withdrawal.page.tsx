import { currency, currentLanguage, dayAndTimeWords, moneyWords, sumOf, toCents } from '#kernel';
import { currentTenant } from '#tenancy';
import { amountWords, FaultSummary, Fault, InputField, pageDocument, type Venue, WayBack } from '#page-kit';
import type { ComponentChildren, VNode } from 'preact';
import { holderWords } from '../pages/holder.words.js';
import { Refunds } from '../pages/cancellation.js';
import { Step } from '../pages/page-parts.js';
import { LastStep, NamePair, type TypedForm } from '../pages/ticket-forms.js';
import { lastDayWords } from '../parts/withdraw-row.js';
import { withdrawalWords } from '../parts/withdrawal.words.js';
import type { Contract } from './contract.js';

/** What the buyer enters. */
export const statementFields = ['first_name', 'last_name', 'email'] as const;

interface Asked extends TypedForm {
  /** Ids of the chosen items. */
  readonly chosen: readonly string[];
}

/** The first step: the statement. */
export function statementPage(contract: Contract, venue: Venue, { typed, faults, chosen }: Asked): string {
  const words = withdrawalWords[currentLanguage()];
  const { name } = currentTenant();
  return withdrawalFrame(
    contract,
    venue,
    words.title,
    <form class="part order" method="post" action={`${contract.path}/withdraw`} novalidate>
      <p>{words.lead(name)}</p>
      <ContractFacts contract={contract} />
      <FaultSummary title={holderWords[currentLanguage()].faults} faults={faults} />
      {contract.kind === 'goods' && <Items contract={contract} chosen={chosen} fault={faults.get('item')} />}
      <div class="fields">
        <NamePair typed={typed} faults={faults} />
        <InputField
          field={{ name: 'email', label: words.email, fault: faults.get('email') }}
          attributes={{ type: 'email', value: typed['email'] ?? '', required: true, maxlength: 254, autocomplete: 'email' }}
        />
      </div>
      <p>
        <button class="button">{words.next}</button>
      </p>
    </form>,
  );
}

/** The second step: the statement once more, and the button that makes it. */
export function confirmationPage(contract: Contract, venue: Venue, { typed, chosen }: Omit<Asked, 'faults'>): string {
  const language = currentLanguage();
  const words = withdrawalWords[language];
  const items = contract.items.filter(({ id }) => chosen.includes(id));
  const refunded = sumOf(items.filter(({ isOut }) => !isOut));
  return withdrawalFrame(
    contract,
    venue,
    words.checkTitle,
    <section class="part">
      <p>{words.statement(currentTenant().name)}</p>
      <ContractFacts contract={contract} />
      <ul>
        {items.map(({ label, amount }) => (
          <li dir="auto">
            {label} · {amountWords(amount as `${number}`, language)}
          </li>
        ))}
      </ul>
      <p dir="auto">{`${typed['first_name']?.trim()} ${typed['last_name']?.trim()}`.trim()}</p>
      <p>{words.told(typed['email']?.trim() ?? '')}</p>
      {toCents(refunded) > 0 && <p>{words.refund(moneyWords(refunded, currency, language))}</p>}
      {items.some(({ isOut }) => isOut) && <p>{words.bringBack}</p>}
      {contract.kind === 'membership' && <p>{words.endsNow}</p>}
      <LastStep
        action={`${contract.path}/withdraw`}
        fields={statementFields}
        typed={typed}
        end={['confirm', words.confirm]}
        change={words.change}
      >
        {contract.kind === 'goods' && items.map(({ id }) => <input type="hidden" name="item" value={id} />)}
      </LastStep>
    </section>,
  );
}

/** The state after a withdrawal: when it was received, and what is refunded. */
export function withdrawnPage(contract: Contract, venue: Venue, at: Date, isMailed: boolean): string {
  const language = currentLanguage();
  const words = withdrawalWords[language];
  const { timeZone } = currentTenant();
  return withdrawalFrame(
    contract,
    venue,
    words.doneTitle,
    <section class="part">
      <Step isGood text={words.done(dayAndTimeWords(at, language, timeZone), timeZone)} />
      <p>{isMailed ? words.mailed : words.notMailed}</p>
      <ContractFacts contract={contract} />
      <Refunds payments={contract.payments} />
    </section>,
  );
}

/** Says why nothing can be withdrawn from. */
export function noWithdrawalPage(contract: Contract, venue: Venue, text = obstacleWords(contract)): string {
  const words = withdrawalWords[currentLanguage()];
  return withdrawalFrame(
    contract,
    venue,
    words.noneTitle,
    <section class="part">
      <Step text={text} role="alert" />
      <Refunds payments={contract.payments} />
    </section>,
  );
}

function obstacleWords({ obstacle }: Contract): string {
  const words = withdrawalWords[currentLanguage()];
  return obstacle instanceof Date ? words.over(lastDayWords(obstacle)) : words[obstacle];
}

function ContractFacts({ contract: { title, reference } }: { readonly contract: Contract }): VNode {
  const words = withdrawalWords[currentLanguage()];
  return (
    <p class="hint">
      {words.contract} <bdi>{title}</bdi> · {words.reference} {reference}
    </p>
  );
}

interface ItemsProps {
  readonly contract: Contract;
  readonly chosen: readonly string[];
  readonly fault: string | undefined;
}

function Items({ contract, chosen, fault }: ItemsProps): VNode {
  const language = currentLanguage();
  const words = withdrawalWords[language];
  return (
    <fieldset>
      <legend>{words.which}</legend>
      <Fault name="item" fault={fault} />
      {contract.items.map(({ id, label, amount }, index) => (
        <div class="field tick">
          <label for={`item-${index}`}>
            <input type="checkbox" id={`item-${index}`} name="item" value={id} checked={chosen.includes(id)} />{' '}
            <span dir="auto">
              {label} · {amountWords(amount as `${number}`, language)}
            </span>
          </label>
        </div>
      ))}
    </fieldset>
  );
}

function withdrawalFrame({ path }: Contract, venue: Venue, title: string, content: ComponentChildren): string {
  const language = currentLanguage();
  const tenant = currentTenant();
  const main = (
    <>
      <WayBack path={path} label={withdrawalWords[language].back} />
      <div class="page-head">
        <h1>{title}</h1>
      </div>
      <div class="two">{content}</div>
    </>
  );
  return pageDocument({ tenant, language, title: `${title} · ${tenant.name}`, main, venue, hasScript: true, sheet: 'holder' });
}
