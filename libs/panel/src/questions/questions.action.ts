import { isUuid } from '#kernel';
import { hasChoices, questionKinds, questionLimits, questionScopes } from '#catalogue';
import type { NewQuestion, ProductsService, Question, QuestionKind, QuestionScope, QuestionsService, WholeProduct } from '#catalogue';
import type { PanelAction, PanelRow, PanelValue, ViewOf } from '#panel-kit';
import { currentPanelRequest, PanelFieldError, textOf, recordHref, related, labels } from '#panel-kit';
import { questionTexts } from './questions.words.js';
import { refusable } from '../forms/refusals.js';

/** The questions of a product on its detail page, with a link that edits them. */
export function questionItems(productId: string, questions: readonly Question[], change: string): PanelValue {
  const { language } = currentPanelRequest();
  const texts = questionTexts[language];
  const items = questions.map(({ label, kind, required, scope }) => ({
    title: label,
    details: [questionKinds[kind][language], required && texts.required, scope === 'ticket' && texts.perTicket].filter(Boolean).join(' · '),
  }));
  return related(items, { href: recordHref('products', productId, 'questions'), label: change });
}

const optionsOf = (words: Record<string, string>) => Object.entries(words).map(([value, label]) => ({ value, label }));

function questionsView({ category, questions }: WholeProduct) {
  const { language } = currentPanelRequest();
  return {
    questions: questions.map(({ id, label, help, kind, scope, required, choices }) => ({
      id,
      label,
      help: help ?? '',
      kind,
      scope,
      required,
      choices: choices.join('\n'),
    })),
    kinds: optionsOf(labels(questionKinds, language)),
    scopes: category === 'A' ? [] : optionsOf(labels(questionScopes, language)),
    limits: { ...questionLimits },
  };
}

/** The view of the component `QuestionsEditor`. */
export type QuestionsView = ViewOf<typeof questionsView>;

/** The action that edits all questions of a product on one page. */
export function questionsAction(products: ProductsService, questions: QuestionsService): PanelAction {
  const find = async (id: string): Promise<WholeProduct> => {
    const product = await products.find(id);
    if (!product) throw new PanelFieldError({}, 'error404Record');
    return product;
  };
  return {
    icon: 'HelpCircle',
    component: 'QuestionsEditor',
    view: async (id) => questionsView(await find(id)),
    act: async (id, values) => {
      const wanted = questionsIn(values);
      if (!(await refusable(() => questions.define(id, wanted)))) throw new PanelFieldError({}, 'error404Record');
      return { message: 'questionsSaved', view: null };
    },
  };
}

/** The submitted questions. The service validates them. */
function questionsIn({ questions }: PanelRow): NewQuestion[] {
  const sent = Array.isArray(questions) ? questions.slice(0, questionLimits.questions + 1) : [];
  return sent.map((one): NewQuestion => {
    const row = Object(one) as PanelRow;
    const kind = textOf(row['kind']) as QuestionKind;
    const lines = textOf(row['choices'])
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
    return {
      ...(isUuid(row['id']) && { id: row['id'] }),
      label: textOf(row['label']),
      help: textOf(row['help']) || null,
      kind,
      scope: (textOf(row['scope']) || 'reservation') as QuestionScope,
      required: row['required'] === true,
      choices: hasChoices(kind) ? lines : [],
    };
  });
}
