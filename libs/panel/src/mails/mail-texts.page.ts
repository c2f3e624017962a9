import {
  checkedTexts,
  ExampleMailsService,
  isMailTextKind,
  mailTextKinds,
  mailTextLimits,
  MailTextsService,
  partsOfKind,
  placeholdersOf,
  type MailTextKind,
  type MailTextSubject,
} from '#notices';
import { mailKinds, MailsService } from '#tickets';
import { isLanguage, languages, type Language } from '#kernel';
import type { MailMessage } from '#messages';
import { currentTenant, hasModule } from '#tenancy';
import { currentPanelRequest, isChecked, PANEL_PATH, PanelFieldError, textOf } from '#panel-kit';
import type { PanelOutcome, PanelPage, PanelRow, ViewOf } from '#panel-kit';
import { Injectable } from '@nestjs/common';
import { refusable } from '../forms/refusals.js';
import { mailTextWords } from './mails.words.js';

/** Address that renders a preview, see `mailPreviewRouter`. */
export const mailPreviewPath = '/mail-texts/preview';

@Injectable()
export class MailTextServices {
  constructor(
    readonly texts: MailTextsService,
    readonly examples: ExampleMailsService,
    readonly mails: MailsService,
  ) {}
}

/** What a form is about. */
interface Chosen {
  readonly kind: MailTextSubject;
  readonly language: Language;
}

/** The page on which staff add texts to the mails of the venue. */
export function mailTextsPage(services: MailTextServices): PanelPage {
  return {
    icon: 'Edit3',
    component: 'MailTexts',
    side: true,
    // `language` in an address is that of the page.
    view: async ({ kind, texts: language }) => {
      const chosen = chosenIn({ kind, language });
      return chosen ? formView(services, chosen) : listView(services);
    },
    act: async (values): Promise<PanelOutcome> => {
      const chosen = chosenIn(values);
      if (!chosen) throw new PanelFieldError({}, 'error404Record');
      const { kind, language } = chosen;
      await refusable(() => services.texts.change(kind, language, typedIn(values)));
      const view = await formView(services, chosen);
      if (!isChecked(values['send'])) return { message: 'textsSaved', view };
      const words = mailTextWords[currentPanelRequest().language];
      const { email } = currentPanelRequest().user ?? {};
      if (!email || !(await services.texts.sendTest(shownKind(kind), language, email))) throw new PanelFieldError({}, words.tooManyTests);
      return { message: services.mails.deliver ? 'testSent' : 'testKept', view };
    },
  };
}

/** The mail with the typed texts and example data. @returns undefined when the form names no kind of mail @throws RefusedInputs */
export async function previewOf({ texts, examples }: MailTextServices, values: PanelRow): Promise<MailMessage | undefined> {
  const chosen = chosenIn(values);
  if (!chosen) return undefined;
  const { kind, language } = chosen;
  const typed = checkedTexts(kind, typedIn(values));
  const own = { ...(await texts.of(shownKind(kind), language)), ...typed };
  return examples.compose({ kind: shownKind(kind), language, own, to: currentPanelRequest().user?.email ?? '' });
}

/** Signatures are shown in the mail that most guests get. */
function shownKind(kind: MailTextSubject): MailTextKind {
  if (kind !== 'signature') return kind;
  return hasModule('ticketing') ? 'tickets' : 'membership';
}

/** The kinds of the modules that the venue has. */
function kinds(): MailTextKind[] {
  const all = Object.keys(mailTextKinds) as MailTextKind[];
  return all.filter((kind) => hasModule(mailTextKinds[kind] === 'membership' ? 'membership' : 'ticketing'));
}

function chosenIn({ kind, language }: { readonly kind?: unknown; readonly language?: unknown }): Chosen | undefined {
  const known = kind === 'signature' || (isMailTextKind(kind) && kinds().includes(kind));
  if (!known) return undefined;
  return { kind, language: isLanguage(language) ? language : currentTenant().language };
}

function typedIn(values: PanelRow): Record<'subject' | 'intro' | 'closing' | 'signature', string> {
  const { subject, intro, closing, signature } = values;
  return { subject: textOf(subject), intro: textOf(intro), closing: textOf(closing), signature: textOf(signature) };
}

async function listView({ texts }: MailTextServices) {
  const { language } = currentPanelRequest();
  const own = await texts.languages();
  const line = (kind: MailTextSubject) => ({ kind, label: labelOf(kind, language), languages: [...(own.get(kind) ?? [])] });
  const about = (group: string) => kinds().flatMap((kind) => (mailTextKinds[kind] === group ? [line(kind)] : []));
  const groups = [
    { group: 'all', kinds: [line('signature')] },
    ...['booking', 'waiting', 'membership'].map((group) => ({ group, kinds: about(group) })),
  ];
  return { groups: groups.filter((each) => each.kinds.length > 0) };
}

async function formView({ texts, examples, mails }: MailTextServices, { kind, language }: Chosen) {
  const { language: own, user } = currentPanelRequest();
  const { meanings } = mailTextWords[own];
  const stored = await texts.of(kind, language);
  const builtIn = await examples.compose({ kind: shownKind(kind), language, own: {}, to: '' });
  return {
    kind,
    label: labelOf(kind, own),
    language,
    languages: [...languages],
    fields: partsOfKind(kind).map((part) => ({ part, text: stored[part] ?? '', longest: mailTextLimits[part] })),
    subject: builtIn.subject,
    placeholders: placeholdersOf(kind).map((name) => ({ name: `{${name}}`, meaning: meanings[meaningOf(kind, name)] })),
    preview: `${PANEL_PATH}${mailPreviewPath}`,
    to: user?.email ?? '',
    delivers: mails.deliver,
  };
}

/** All kinds of mails, as the component `MailTexts` lists them. */
export type MailKindsView = ViewOf<typeof listView>;

/** The texts of one kind in one language. */
export type MailTextsView = ViewOf<typeof formView>;

function meaningOf(kind: MailTextSubject, name: string): keyof (typeof mailTextWords)['en']['meanings'] {
  const isMembership = kind !== 'signature' && mailTextKinds[kind] === 'membership';
  return isMembership && name === 'date' ? 'lastDay' : (name as keyof (typeof mailTextWords)['en']['meanings']);
}

function labelOf(kind: MailTextSubject, language: Language): string {
  return kind === 'signature' ? mailTextWords[language].signature : mailKinds[kind][language];
}
