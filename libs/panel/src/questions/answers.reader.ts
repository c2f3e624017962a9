import type { AnswerValue } from '#tickets';
import type { Language } from '#kernel';
import type { TenantDb } from '#tenancy';
import type { ExtraColumns, PanelProperty, PanelRow, ViewOf } from '#panel-kit';
import { currentPanelRequest, panelWords } from '#panel-kit';
/** Answers on a detail page, drawn by the component `Answers`; absent when there are none. */
export const answersProperty: PanelProperty = {
  name: 'answers',
  type: 'mixed',
  editable: false,
  components: { show: 'Answers' },
};

/** SQL: whether a record's products currently have questions, so that answers can be corrected. */
export const hasQuestionsSql = {
  reservation: `exists (select 1 from ticket join price on price.id = ticket.price_id
    join question on question.product_id = price.product_id
    where ticket.reservation_id = reservation.id and question.archived_at is null)`,
  membership: `exists (select 1 from question where question.product_id = membership.product_id and question.archived_at is null)`,
};

type Owner = 'reservation' | 'ticket' | 'membership';

/**
 * SQL: the answers of each kind of record, with the record's id as `owner`. A ticket includes the answers that were given once per
 * reservation.
 */
const answersOf: Readonly<Record<Owner, string>> = {
  reservation: `select answer.reservation_id as owner, answer.*, ticket.position as place from answer
    left join ticket on ticket.id = answer.ticket_id where answer.reservation_id = any($1)`,
  ticket: `select ticket.id as owner, answer.*, null::smallint as place from ticket
    join price on price.id = ticket.price_id join answer on answer.reservation_id = ticket.reservation_id
    join question asked on asked.id = answer.question_id and asked.product_id = price.product_id
    where ticket.id = any($1) and (answer.ticket_id is null or answer.ticket_id = ticket.id)`,
  membership: `select membership_id as owner, answer.*, null::smallint as place from answer where membership_id = any($1)`,
};

interface AnswerRow {
  readonly owner: string;
  readonly questionId: string;
  readonly label: string;
  readonly value: AnswerValue;
  /** For a ticket: its position in the reservation, from 0. */
  readonly place: number | null;
  readonly question: string;
  readonly product: string;
}

function rowsOf(db: TenantDb, owner: Owner, ids: readonly string[]): Promise<AnswerRow[]> {
  return db.transaction((tx) =>
    tx.query<AnswerRow[]>(
      `select given.owner, given.question_id as "questionId", given.label, given.value, given.place, question.label as question,
       product.name as product
       from (${answersOf[owner]}) given join question on question.id = given.question_id join product on product.id = question.product_id
       order by given.place nulls first, product.name, question.archived_at nulls first, question.position, question.id`,
      [ids],
    ),
  );
}

/** Formats an answer. */
function textOfAnswer(value: AnswerValue, language: Language): string {
  if (typeof value === 'boolean') return panelWords(language).labels[value ? 'yes' : 'no'];
  return typeof value === 'string' ? value : value.join(', ');
}

/** The value of {@link answersProperty}: null when there are none. */
export async function answersView(db: TenantDb, owner: Owner, id: string) {
  const { language } = currentPanelRequest();
  const rows = await rowsOf(db, owner, [id]);
  const items = rows.map(({ label, value, place }) => ({
    label,
    text: textOfAnswer(value, language),
    ticket: place === null ? null : place + 1,
  }));
  return items.length > 0 ? { items } : null;
}

/** The value of the component `Answers`. */
export type AnswersView = ViewOf<typeof answersView>;

/** Export columns: one per question that the exported records answered. Answers of several tickets are in one cell, one per line. */
export function answerColumns(db: TenantDb, owner: Owner): (rows: readonly PanelRow[]) => Promise<ExtraColumns> {
  return async (exported) => {
    const { language } = currentPanelRequest();
    const rows = await rowsOf(
      db,
      owner,
      exported.map(({ id }) => String(id)),
    );
    const questions = new Map(rows.map(({ questionId, question, product }) => [questionId, { question, product }]));
    const labels = [...questions.values()].map(({ question }) => question);
    const texts = new Map<string, string>();
    for (const { owner: id, questionId, value } of rows) {
      const key = `${id} ${questionId}`;
      const text = textOfAnswer(value, language);
      texts.set(key, texts.has(key) ? `${texts.get(key)}\n${text}` : text);
    }
    return {
      columns: [...questions.values()].map(({ question, product }) => {
        const isTwice = labels.indexOf(question) !== labels.lastIndexOf(question);
        return { label: isTwice ? `${question} (${product})` : question, type: 'text' as const };
      }),
      cells: ({ id }) => [...questions.keys()].map((questionId) => texts.get(`${String(id)} ${questionId}`) ?? null),
    };
  };
}
