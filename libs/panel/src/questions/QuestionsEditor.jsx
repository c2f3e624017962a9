import React, { useEffect, useState } from 'react';
import { ApiClient, useNotice, useTranslation } from 'adminjs';
import { Loader } from '@adminjs/design-system';
import { useNavigate } from 'react-router';
import { Link } from 'react-router-dom';
import { actionAddress } from '#panel-kit/components/shared/actions.js';
import { Fault, focusOnFault } from '#panel-kit/components/forms/FormField.jsx';
import { QuestionCard } from './QuestionCard.jsx';

const api = new ApiClient();
const EMPTY = { label: '', help: '', kind: 'text', scope: 'reservation', required: false, choices: '' };

/** Edits all questions of a product: text, kind, scope and order. Saves all at once. */
export default function QuestionsEditor({ record, resource, action }) {
  const { tb, tc, tm } = useTranslation();
  const notify = useNotice();
  const navigate = useNavigate();
  const [view, setView] = useState(null);
  const [questions, setQuestions] = useState([]);
  const [errors, setErrors] = useState({});
  const [busy, setBusy] = useState(false);
  const request = { resourceId: resource.id, recordId: record.id, actionName: action.name };
  const back = actionAddress({ name: 'show', actionType: 'record' }, resource.id, record.id);
  useEffect(() => {
    api
      .recordAction(request)
      .then(({ data }) => {
        setView(data.view);
        setQuestions(data.view.questions.map((question) => ({ ...question, key: question.id })));
      })
      .catch(() => notify({ message: 'failed', type: 'error' }));
  }, [record.id]);
  // Errors refer to positions in the list; after a change of the order they would be shown at another question.
  const sort = (next) => {
    setErrors({});
    setQuestions(next);
  };
  const move = (index, by) => {
    const next = [...questions];
    [next[index], next[index + by]] = [next[index + by], next[index]];
    sort(next);
  };
  const add = () => sort([...questions, { ...EMPTY, key: crypto.randomUUID?.() ?? String(Math.random()) }]);
  const save = async (event) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    try {
      const { data } = await api.recordAction({ ...request, data: { questions } });
      const faults = Object.entries(data.record?.errors ?? {});
      setErrors(Object.fromEntries(faults.map(([field, { message }]) => [field, tm(message, resource.id)])));
      if (data.notice) notify({ ...data.notice, resourceId: resource.id });
      if (faults.length > 0 || data.notice?.type === 'error') focusOnFault();
      else navigate(back);
    } catch {
      notify({ message: 'failed', type: 'error' });
    }
    setBusy(false);
  };
  if (!view) return <Loader />;
  return (
    <form className="gt-panel gt-action-form" onSubmit={(event) => void save(event)} noValidate>
      <p className="gt-lead">{tc('QuestionsEditor.lead', { name: record.title })}</p>
      <Fault text={errors['questions/']} />
      <ol className="gt-questions">
        {questions.map((question, index) => (
          <QuestionCard
            key={question.key}
            question={question}
            index={index}
            count={questions.length}
            view={view}
            errors={errors}
            change={(more) => setQuestions(questions.map((one, at) => (at === index ? { ...one, ...more } : one)))}
            move={(by) => move(index, by)}
            remove={() => sort(questions.filter((_, at) => at !== index))}
          />
        ))}
      </ol>
      {questions.length === 0 ? <p className="gt-nothing">{tc('QuestionsEditor.none')}</p> : null}
      {questions.length < view.limits.questions ? (
        <p>
          <button type="button" className="gt-button gt-button-quiet" onClick={add}>
            {tc('QuestionsEditor.add')}
          </button>
        </p>
      ) : null}
      <div className="gt-header-actions">
        <button type="submit" className="gt-button" disabled={busy}>
          {tb('save')}
        </button>
        <Link to={back} className="gt-button gt-button-quiet">
          {tb('back')}
        </Link>
      </div>
    </form>
  );
}
