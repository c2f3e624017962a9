import React, { useEffect, useRef, useState } from 'react';
import { ApiClient, useNotice, useTranslation } from 'adminjs';
import { Loader } from '@adminjs/design-system';
import { useLocation, useNavigate } from 'react-router';
import { Link } from 'react-router-dom';
import { describing, focusOnFault, FormField, Segments } from '#panel-kit/components/forms/FormField.jsx';
import { MailPreview } from './MailPreview.jsx';

const api = new ApiClient();
const nameOf = (code) => window.GUICHET.languages.find((language) => language.code === code)?.name ?? code;

/** All kinds of mails, with the languages in which the venue has texts of its own. */
function Kinds({ groups, pathname }) {
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

function TextField({ field, value, fault, builtIn, set }) {
  const { tc } = useTranslation();
  const { part, longest } = field;
  const help = tc(`MailTexts.${part}Help`);
  const props = {
    id: part,
    value,
    maxLength: longest,
    ...describing(part, fault, help),
    onChange: ({ target }) => set(target.value),
  };
  return (
    <FormField name={part} label={tc(`MailTexts.${part}`)} mark={tc('MailTexts.optional')} help={help} fault={fault}>
      {part === 'subject' ? (
        <input {...props} type="text" autoComplete="off" placeholder={builtIn} />
      ) : (
        <textarea {...props} rows={part === 'signature' ? 4 : 5} />
      )}
    </FormField>
  );
}

function Placeholders({ placeholders }) {
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
function Editor({ view, request, received }) {
  const { tc } = useTranslation();
  const notify = useNotice();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const [drafts, setDrafts] = useState({});
  const [errors, setErrors] = useState({});
  const [busy, setBusy] = useState(false);
  const { kind, language, fields } = view;
  const draft = `${kind} ${language}`;
  const typed = { ...Object.fromEntries(fields.map(({ part, text }) => [part, text])), ...drafts[draft] };
  const set = (part, text) => setDrafts((before) => ({ ...before, [draft]: { ...before[draft], [part]: text } }));
  const choose = (other) => navigate({ pathname, search: `?kind=${kind}&language=${other}` }, { replace: true });
  const send = async (test) => {
    if (busy) return;
    setBusy(true);
    try {
      const { data } = await api.resourceAction({ ...request, data: { ...typed, kind, language, send: test } });
      const faults = Object.fromEntries(Object.entries(data.errors ?? {}).map(([part, { message }]) => [part, message]));
      setErrors(faults);
      if (data.notice) notify(data.notice);
      if (Object.keys(faults).length > 0) focusOnFault();
      else if (data.view) {
        setDrafts((before) => ({ ...before, [draft]: undefined }));
        received(data.view);
      }
    } catch {
      notify({ message: 'failed', type: 'error' });
    }
    setBusy(false);
  };
  return (
    <div className="gt-mail-editor">
      <form
        className="gt-panel gt-action-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void send(false);
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
            value={typed[field.part]}
            fault={errors[field.part]}
            set={(text) => set(field.part, text)}
          />
        ))}
        <Placeholders placeholders={view.placeholders} />
        <div className="gt-header-actions">
          <button type="submit" className="gt-button" disabled={busy}>
            {tc('MailTexts.save')}
          </button>
          <button type="button" className="gt-button gt-button-quiet" disabled={busy} onClick={() => void send(true)}>
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
export default function MailTexts({ resource, action }) {
  const notify = useNotice();
  const { search, pathname } = useLocation();
  const [view, setView] = useState(null);
  const latest = useRef(0);
  const request = { resourceId: resource.id, actionName: action.name };
  useEffect(() => {
    const turn = (latest.current += 1);
    api
      .resourceAction({ ...request, params: Object.fromEntries(new URLSearchParams(search)) })
      .then(({ data }) => turn === latest.current && setView(data.view))
      .catch(() => notify({ message: 'failed', type: 'error' }));
  }, [search]);
  if (!view) return <Loader />;
  return view.groups ? (
    <Kinds groups={view.groups} pathname={pathname} />
  ) : (
    <Editor key={view.kind} view={view} request={request} received={setView} />
  );
}
