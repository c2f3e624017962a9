import type { Language } from '#kernel';
import { htmlOf } from '#page-kit';
import { JoiningNote } from './joining-note.js';
import { GoodsFields } from './ticket-fields.js';
import { WaitingListForm, type WaitingForm } from './waiting-form.js';

type Goods = Parameters<typeof GoodsFields>[0];

// TRANSITION: string versions, only until the shop is written as components.
export const goodsFieldsHtml = (price: Goods['price'], isOnly: boolean, words: Goods['words'], language: Language): string =>
  htmlOf(<GoodsFields price={price} isOnly={isOnly} words={words} language={language} />);
export const joiningNote = (name: string, page: string | undefined, language: Language): string =>
  htmlOf(<JoiningNote name={name} page={page} language={language} />);
export const waitingFormHtml = (form: WaitingForm, language: Language): string =>
  htmlOf(<WaitingListForm form={form} language={language} />);
