import { escapeHtml, type Language, type Settings } from '#kernel';
import { approvalDays, type SignupStatus } from '#places';
import { categories, tenantUrl, type CategoryCode } from '#tenancy';
import { confirmWords } from './confirm.words.js';
import { inputHtml, summaryHtml } from '#page-kit';

type Waiting = Extract<SignupStatus, { faults: unknown }>;
type Created = Extract<SignupStatus, { kind: 'created' }>;

/** A page after the form. */
export interface ConfirmPage {
  readonly title: string;
  /** HTML of the main part. */
  readonly main: string;
}

/** The page after submitting the form. @param delivers whether this server sends mails */
export function sentPage(language: Language, settings: Pick<Settings, 'tenantForm' | 'tenantFormHours'>, delivers: boolean): ConfirmPage {
  const { sent, approval } = confirmWords[language];
  const until = sent.until(settings.tenantFormHours);
  const text = settings.tenantForm === 'approval' ? approval.sent : sent.text;
  const lines = delivers ? [text, until, sent.spam] : [sent.kept, until];
  return page(sent.title, `${lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n')}\n${linkTo('/', sent.back)}`);
}

/** Asks for confirmation; when the name was taken in the meantime, with fields for another name. */
export function confirmPage(found: Waiting, path: string, language: Language): ConfirmPage {
  const { confirm, approval } = confirmWords[language];
  const { title, lead, button } = found.needsApproval ? approval : confirm;
  const before =
    found.faults.length === 0 ? `<p>${escapeHtml(lead)}</p>` : summaryHtml(confirmWords[language].taken.title, faultsOf(found));
  return page(title, `${before}\n${factsHtml(found, language)}\n${formHtml(found, path, language, button)}`);
}

/** The page while operators decide; when the name was taken in the meantime, with fields for another name. */
export function awaitedPage(found: Waiting, path: string, language: Language): ConfirmPage {
  const { awaited, taken } = confirmWords[language];
  const lines = [awaited.lead, awaited.next(approvalDays)].map((line) => `<p>${escapeHtml(line)}</p>`).join('\n');
  const facts = factsHtml(found, language);
  if (found.faults.length === 0) return page(awaited.title, `${lines}\n${facts}\n${linkTo('/', confirmWords[language].sent.back)}`);
  const form = formHtml(found, path, language, awaited.save);
  return page(awaited.title, `${summaryHtml(taken.title, faultsOf(found))}${lines}\n${facts}\n${form}`);
}

function faultsOf({ faults }: Waiting): Map<string, string> {
  return new Map(faults.map(({ field, message }) => [field, message]));
}

function factsHtml({ form, host }: Waiting, language: Language): string {
  const { confirm } = confirmWords[language];
  const facts = [
    [confirm.name, form.name],
    [confirm.kind, categories[form.category as CategoryCode].label[language]],
    [confirm.host, host],
    [confirm.admin, form.email],
  ] as const;
  const rows = facts.map(([label, value]) => `<div><dt>${escapeHtml(label)}</dt><dd dir="auto">${escapeHtml(value)}</dd></div>`);
  return `<dl class="facts-list">${rows.join('\n')}</dl>`;
}

/** The button, after fields for another name when the first one is taken. */
function formHtml(found: Waiting, path: string, language: Language, button: string): string {
  const { confirm, taken } = confirmWords[language];
  const { form } = found;
  const wrong = faultsOf(found);
  const fields =
    wrong.size === 0
      ? ''
      : [
          inputHtml(
            { name: 'name', label: taken.name, fault: wrong.get('name') },
            { value: form.name, required: true, maxlength: 200, autocomplete: 'organization' },
          ),
          inputHtml(
            { name: 'slug', label: taken.slug, fault: wrong.get('slug') },
            { value: form.slug, required: true, maxlength: 100, autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false' },
          ),
        ].join('\n');
  const hint = found.kind === 'confirmed' ? '' : `\n<p class="hint">${escapeHtml(confirm.hint)}</p>`;
  return `<form class="sheet" method="post" action="${escapeHtml(path)}" novalidate>
${fields}<p><button class="button">${escapeHtml(button)}</button></p>
</form>${hint}`;
}

/**
 * The tenant exists: the administrator sets a password, or signs in.
 * @param fault of a rejected password
 * @param isSet whether a password was just saved
 */
export function createdPage(
  { tenant, email, passwordDue }: Created,
  path: string,
  language: Language,
  { settings, fault, isSet = false, least }: { settings: Settings; fault?: string | undefined; isSet?: boolean; least: number },
): ConfirmPage {
  const { created } = confirmWords[language];
  const signIn = `<p>${escapeHtml(isSet ? created.set : created.known(email))}</p>
<p><a class="button" href="${escapeHtml(tenantUrl(settings, tenant, '/admin/welcome'))}">${escapeHtml(created.signIn)}</a></p>`;
  const password = inputHtml(
    { name: 'password', label: created.password, hint: created.chooseHint(least), fault },
    { type: 'password', required: true, maxlength: 256, autocomplete: 'new-password' },
  );
  const choose = `<h2>${escapeHtml(created.choose)}</h2>
<form class="sheet" method="post" action="${escapeHtml(path)}/password" novalidate>
<input class="implied" type="text" name="username" autocomplete="username" value="${escapeHtml(email)}"
  readonly tabindex="-1" aria-hidden="true">
${password}
<p><button class="button">${escapeHtml(created.save)}</button></p>
</form>`;
  const body = `<p class="good">${escapeHtml(created.lead(tenant.host))}</p>
${summaryHtml(created.faults, fault === undefined ? new Map() : new Map([['password', fault]]))}${passwordDue ? choose : signIn}
<p><a href="${escapeHtml(tenantUrl(settings, tenant, '/'))}">${escapeHtml(created.visit)}</a></p>`;
  return page(created.title(tenant.name), body);
}

/** The page of an expired or used link. @param open whether the form can be filled in */
export function overPage(language: Language, open: boolean): ConfirmPage {
  const { over } = confirmWords[language];
  return page(over.title, `<p>${escapeHtml(over.text)}</p>\n${open ? linkTo('/tenant/new/', over.again) : ''}`);
}

export function closedPage(language: Language): ConfirmPage {
  const { closed, sent } = confirmWords[language];
  return page(closed.title, `<p>${escapeHtml(closed.text)}</p>\n${linkTo('/', sent.back)}`);
}

function page(title: string, body: string): ConfirmPage {
  return { title, main: `<div class="new-place">\n<h1 dir="auto">${escapeHtml(title)}</h1>\n${body}\n</div>` };
}

function linkTo(path: string, label: string): string {
  return `<p><a class="button" href="${path}">${escapeHtml(label)}</a></p>`;
}
