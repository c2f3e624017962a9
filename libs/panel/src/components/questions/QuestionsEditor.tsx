import { useState, type FormEvent } from 'react';
import { useTranslation } from 'adminjs';
import { Loader } from '@adminjs/design-system';
import { useNavigate } from 'react-router';
import { Link } from 'react-router-dom';
import { Fault, focusOnFault } from '#panel-kit/components/forms/FormField.js';
import { recordAddress } from '#panel-kit/components/shared/actions.js';
import { addressOf, faultsIn, isRefused, useSend, useView, type Faults, type RecordPage } from '#panel-kit/components/page/view.js';
import type { QuestionsView } from '../../questions/questions.action.js';
import { QuestionCard, type EditedQuestion } from './QuestionCard.js';

const EMPTY = { label: '', help: '', kind: 'text', scope: 'reservation', required: false, choices: '' };

// Browsers have no `randomUUID` without HTTPS.
const newKey = (): string => ('randomUUID' in crypto ? crypto.randomUUID() : String(Math.random()));

/** Edits all questions of a product: text, kind, scope and order. Saves all at once. */
export default function QuestionsEditor({ record, resource, action }: RecordPage) {
  const { tb, tc, tm } = useTranslation();
  const navigate = useNavigate();
  const [questions, setQuestions] = useState<EditedQuestion[]>([]);
  const [errors, setErrors] = useState<Faults>({});
  const { busy, send } = useSend(resource.id);
  const address = addressOf({ record, resource, action });
  const back = recordAddress(resource.id, record.id);
  const [view] = useView<QuestionsView>(address, undefined, (read) =>
    setQuestions(read.questions.map((question) => ({ ...question, key: question.id }))),
  );
  // Errors refer to positions in the list; after a change of the order they would be shown at another question.
  const sort = (next: EditedQuestion[]): void => {
    setErrors({});
    setQuestions(next);
  };
  const move = (index: number, by: number): void => {
    const moved = questions.slice(index, index + 1);
    sort(questions.toSpliced(index, 1).toSpliced(index + by, 0, ...moved));
  };
  const add = () => sort([...questions, { ...EMPTY, key: newKey() }]);
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const answer = await send(address, { questions });
    if (!answer) return;
    setErrors(Object.fromEntries(Object.entries(faultsIn(answer)).map(([field, message]) => [field, tm(message, resource.id)])));
    if (isRefused(answer)) focusOnFault();
    else navigate(back);
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
