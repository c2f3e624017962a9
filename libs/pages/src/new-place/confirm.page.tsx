import type { Language, Settings } from '#kernel';
import { approvalDays, type SignupStatus } from '#places';
import { categories, tenantUrl, type CategoryCode } from '#tenancy';
import type { ComponentChildren, VNode } from 'preact';
import { confirmWords } from './confirm.words.js';
import { DemoLink, FaultSummary, InputField, VenueHelp, type Venue } from '#page-kit';

type Waiting = Extract<SignupStatus, { faults: unknown }>;
type Created = Extract<SignupStatus, { kind: 'created' }>;

/** A page of the form, or after it. */
export interface ConfirmPage {
  readonly title: string;
  /** The main part. */
  readonly main: ComponentChildren;
}

/** How the link of the mail reaches its reader. */
interface SentLink {
  /** Whether this server sends mails. */
  readonly delivers: boolean;
  /** The path of the link, where the page may show it. */
  readonly link: string | undefined;
  /** Whom to ask where it does not. */
  readonly operator: Venue;
}

/** The page after submitting the form. */
export function sentPage(
  language: Language,
  settings: Pick<Settings, 'tenantForm' | 'tenantFormHours' | 'adminEmail' | 'baseDomain'>,
  { delivers, link, operator }: SentLink,
): ConfirmPage {
  const { sent, approval } = confirmWords[language];
  const until = sent.until(settings.tenantFormHours);
  const text = settings.tenantForm === 'approval' ? approval.sent : sent.text;
  const lines = delivers ? [text, until, sent.spam] : link === undefined ? [sent.kept, until] : [until];
  return page(
    delivers ? sent.title : sent.keptTitle,
    <>
      {link !== undefined && <DemoLink path={link} />}
      {lines.map((line) => (
        <p>{line}</p>
      ))}
      {!delivers && link === undefined && <VenueHelp venue={reachable(operator, settings)} lead={sent.operators} />}
      {link === undefined && <LinkTo path="/" label={sent.back} />}
    </>,
  );
}

/** The operator, with the address of the administrator where the imprint has none; that of `localhost` reaches nobody. */
const reachable = (operator: Venue, { adminEmail, baseDomain }: Pick<Settings, 'adminEmail' | 'baseDomain'>): Venue =>
  operator.email || adminEmail.endsWith('@localhost') || baseDomain === 'localhost' ? operator : { ...operator, email: adminEmail };

/** Asks for confirmation; when the name was taken in the meantime, with fields for another name. */
export function confirmPage(found: Waiting, path: string, language: Language): ConfirmPage {
  const { confirm, approval, taken } = confirmWords[language];
  const { title, lead, button } = found.needsApproval ? approval : confirm;
  return page(
    title,
    <>
      {found.faults.length === 0 ? <p>{lead}</p> : <FaultSummary title={taken.title} faults={faultsOf(found)} />}
      <Facts found={found} language={language} />
      <ConfirmForm found={found} path={path} language={language} button={button} />
    </>,
  );
}

/** The page while operators decide; when the name was taken in the meantime, with fields for another name. */
export function awaitedPage(found: Waiting, path: string, language: Language): ConfirmPage {
  const { awaited, sent, taken } = confirmWords[language];
  return page(
    awaited.title,
    <>
      <FaultSummary title={taken.title} faults={faultsOf(found)} />
      <p>{awaited.lead}</p>
      <p>{awaited.next(approvalDays)}</p>
      <Facts found={found} language={language} />
      {found.faults.length === 0 ? (
        <LinkTo path="/" label={sent.back} />
      ) : (
        <ConfirmForm found={found} path={path} language={language} button={awaited.save} />
      )}
    </>,
  );
}

function faultsOf({ faults }: Waiting): Map<string, string> {
  return new Map(faults.map(({ field, message }) => [field, message]));
}

interface WaitingProps {
  readonly found: Waiting;
  readonly language: Language;
}

function Facts({ found: { form, host }, language }: WaitingProps): VNode {
  const { confirm } = confirmWords[language];
  const facts = [
    [confirm.name, form.name],
    [confirm.kind, categories[form.category as CategoryCode].label[language]],
    [confirm.host, host],
    [confirm.admin, form.email],
  ] as const;
  return (
    <dl class="facts">
      {facts.map(([label, value]) => (
        <div>
          <dt>{label}</dt>
          <dd dir="auto">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The button, after fields for another name when the first one is taken. */
function ConfirmForm({ found, path, language, button }: WaitingProps & { readonly path: string; readonly button: string }): VNode {
  const { confirm } = confirmWords[language];
  return (
    <>
      <form class="sheet" method="post" action={path} novalidate>
        {found.faults.length > 0 && <OtherName found={found} language={language} />}
        <p>
          <button class="button">{button}</button>
        </p>
      </form>
      {found.kind !== 'confirmed' && <p class="hint">{confirm.hint}</p>}
    </>
  );
}

function OtherName({ found, language }: WaitingProps): VNode {
  const { taken } = confirmWords[language];
  const { form } = found;
  const wrong = faultsOf(found);
  return (
    <>
      <InputField
        field={{ name: 'name', label: taken.name, fault: wrong.get('name') }}
        attributes={{ value: form.name, required: true, maxlength: 200, autocomplete: 'organization' }}
      />
      <InputField
        field={{ name: 'slug', label: taken.slug, fault: wrong.get('slug') }}
        attributes={{
          value: form.slug,
          required: true,
          maxlength: 100,
          autocomplete: 'off',
          autocapitalize: 'none',
          spellcheck: 'false',
        }}
      />
    </>
  );
}

/** The tenant exists, and its administrator has a password. */
export function createdPage({ tenant, email }: Created, settings: Settings, language: Language): ConfirmPage {
  const { created } = confirmWords[language];
  return page(
    created.title(tenant.name),
    <>
      <p class="notice good">{created.lead(tenant.host)}</p>
      <p>{created.known(email)}</p>
      <LinkTo path={tenantUrl(settings, tenant, '/admin/welcome')} label={created.signIn} />
      <p>
        <a href={tenantUrl(settings, tenant, '/')}>{created.visit}</a>
      </p>
    </>,
  );
}

/** The page of an expired or used link. @param open whether the form can be filled in */
export function overPage(language: Language, open: boolean): ConfirmPage {
  const { over } = confirmWords[language];
  return page(
    over.title,
    <>
      <p>{over.text}</p>
      {open && <LinkTo path="/tenant/new/" label={over.again} />}
    </>,
  );
}

/** The page while the form is not open to everybody. */
export function closedPage(language: Language): ConfirmPage {
  const { closed, sent } = confirmWords[language];
  return page(
    closed.title,
    <>
      <p>{closed.text}</p>
      <LinkTo path="/" label={sent.back} />
    </>,
  );
}

function page(title: string, body: VNode): ConfirmPage {
  return {
    title,
    main: (
      <div class="new-place">
        <h1 dir="auto">{title}</h1>
        {body}
      </div>
    ),
  };
}

function LinkTo({ path, label }: { readonly path: string; readonly label: string }): VNode {
  return (
    <p>
      <a class="button" href={path}>
        {label}
      </a>
    </p>
  );
}
