import { useState } from 'react';
import { useTranslation } from 'adminjs';
import { Loader } from '@adminjs/design-system';
import { useLocation, useNavigate } from 'react-router';
import { Link } from 'react-router-dom';
import { describing, focusOnFault, FormField, Segments } from '#panel-kit/components/forms/FormField.js';
import { guichet } from '#panel-kit/components/page/guichet.js';
import {
  addressOf,
  faultsIn,
  useSend,
  useView,
  type ActionAddress,
  type Faults,
  type ResourcePage,
} from '#panel-kit/components/page/view.js';
import type { MailKindsView, MailTextsView } from '../../mails/mail-texts.page.js';
import { MailPreview } from './MailPreview.js';

const nameOf = (code: string): string => guichet.languages.find((language) => language.code === code)?.name ?? code;

/** All kinds of mails, with the languages in which the venue has texts of its own. */
function Kinds({ groups, pathname }: MailKindsView & { readonly pathname: string }) {
  const { tc } = useTranslation();
  return (
    <div className="gt-panel gt-mail-kinds">
      <p className="gt-lead">{tc('MailTexts.lead')}</p>
      {groups.map(({ group, kinds }) => (
        <section key={group}>
          <h2>{tc(`MailTexts.groups.${group}`)}</h2>
          <ul>
            {kinds.map(({ kind, label, languages }) => (
              <li key={kind}>
                <Link to={`${pathname}?kind=${kind}`}>{label}</Link>
                <span className="gt-small">
                  {languages.length > 0
                    ? tc('MailTexts.own', { languages: languages.map(nameOf).join(', ') })
                    : tc(kind === 'signature' ? 'MailTexts.none' : 'MailTexts.builtIn')}
                </span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function TextField({
  field,
  value,
  fault,
  builtIn,
  set,
}: {
  readonly field: MailTextsView['fields'][number];
  readonly value: string;
  readonly fault: string | undefined;
  /** The subject of the mail without own texts. */
  readonly builtIn: string;
  readonly set: (text: string) => void;
}) {
  const { tc } = useTranslation();
  const { part, longest } = field;
  const help = tc(`MailTexts.${part}Help`);
  const props = {
    id: part,
    value,
    maxLength: longest,
    ...describing(part, fault, help),
    onChange: ({ target }: { readonly target: { readonly value: string } }) => set(target.value),
  };
  return (
    <FormField name={part} label={tc(`MailTexts.${part}`)} optional help={help} fault={fault}>
      {part === 'subject' ? (
        <input {...props} type="text" autoComplete="off" placeholder={builtIn} />
      ) : (
        <textarea {...props} rows={part === 'signature' ? 4 : 5} />
      )}
    </FormField>
  );
}

function Placeholders({ placeholders }: Pick<MailTextsView, 'placeholders'>) {
  const { tc } = useTranslation();
  return (
    <div className="gt-placeholders">
      <p className="gt-help">{tc('MailTexts.placeholders')}</p>
      <dl>
        {placeholders.map(({ name, meaning }) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** The texts of one kind in one language, with the mail beside them. What was typed in another language stays until the page is left. */
function Editor({
  view,
  address,
  resourceId,
  received,
}: {
  readonly view: MailTextsView;
  readonly address: ActionAddress;
  readonly resourceId: string;
  readonly received: (view: MailTextsView) => void;
}) {
  const { tc } = useTranslation();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const [drafts, setDrafts] = useState<Readonly<Record<string, Faults>>>({});
  const [errors, setErrors] = useState<Faults>({});
  const { busy, send } = useSend(resourceId);
  const { kind, language, fields } = view;
  const draft = `${kind} ${language}`;
  const typed: Readonly<Record<string, string>> = { ...Object.fromEntries(fields.map(({ part, text }) => [part, text])), ...drafts[draft] };
  const set = (part: string, text: string): void => setDrafts((before) => ({ ...before, [draft]: { ...before[draft], [part]: text } }));
  const choose = (other: string): void => navigate({ pathname, search: `?kind=${kind}&texts=${other}` }, { replace: true });
  const save = async (test: boolean): Promise<void> => {
    const answer = await send<MailTextsView>(address, { ...typed, kind, language, send: test });
    if (!answer) return;
    const faults = faultsIn(answer);
    setErrors(faults);
    if (Object.keys(faults).length > 0) focusOnFault();
    else if (answer.view) {
      setDrafts((before) => ({ ...before, [draft]: {} }));
      received(answer.view);
    }
  };
  return (
    <div className="gt-mail-editor">
      <form
        className="gt-panel gt-action-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save(false);
        }}
      >
        <p>
          <Link to={pathname}>{tc('MailTexts.back')}</Link>
        </p>
        <h2>{view.label}</h2>
        <Segments
          name="language"
          label={tc('MailTexts.language')}
          options={view.languages.map((code) => ({ value: code, label: nameOf(code) }))}
          value={language}
          onChange={choose}
        />
        {fields.map((field) => (
          <TextField
            key={field.part}
            field={field}
            builtIn={view.subject}
            value={typed[field.part] ?? ''}
            fault={errors[field.part]}
            set={(text) => set(field.part, text)}
          />
        ))}
        <Placeholders placeholders={view.placeholders} />
        <div className="gt-header-actions">
          <button type="submit" className="gt-button" disabled={busy}>
            {tc('MailTexts.save')}
          </button>
          <button type="button" className="gt-button gt-button-quiet" disabled={busy} onClick={() => void save(true)}>
            {tc('MailTexts.test')}
          </button>
        </div>
        <p className="gt-help gt-after-field gt-breaks">{tc('MailTexts.testHelp', { email: view.to })}</p>
      </form>
      <MailPreview address={view.preview} values={{ ...typed, kind, language }} refused={setErrors} />
    </div>
  );
}

/** The texts that staff add to mails: all kinds, or the texts of the kind in the address. */
export default function MailTexts(page: ResourcePage) {
  const { search, pathname } = useLocation();
  const address = addressOf(page);
  const [view, setView] = useView<MailKindsView | MailTextsView>(address, Object.fromEntries(new URLSearchParams(search)));
  if (!view) return <Loader />;
  return 'groups' in view ? (
    <Kinds groups={view.groups} pathname={pathname} />
  ) : (
    <Editor key={view.kind} view={view} address={address} resourceId={page.resource.id} received={setView} />
  );
}
