import type { VNode } from 'preact';
import type { Altered } from '#catalogue';
import type { Language, Times } from '#kernel';
import type { Image } from '#catalogue';
import {
  CheckboxField,
  Fault,
  FaultSummary,
  InputField,
  Notice,
  SelectField,
  TextareaField,
  type Attributes,
  type Choice,
  type Field,
} from './forms/form-fields.js';
import { Address, type PublicAddress } from './frame/address-words.js';
import { pageDocument, type PageFrame } from './frame/page-frame.js';
import { Picture, Sticker } from './frame/pictures.js';
import { htmlOf, SafeHtml } from '#http';
import { Hours, When } from './words/event-times.js';

type TextFrame = Omit<PageFrame, 'main' | 'head'> & { readonly main: string; readonly head?: string };
export const pageFrame = ({ main, head = '', ...frame }: TextFrame): string =>
  pageDocument({ ...frame, main: <SafeHtml html={main} />, head: <SafeHtml html={head} /> });
export const inputHtml = (field: Field, attributes: Attributes, html = '{}'): string => {
  const [before = '', after = ''] = html.split('{}');
  return htmlOf(
    <InputField
      field={field}
      attributes={attributes}
      wrap={(control: VNode) => <SafeHtml html={`${before}${htmlOf(control)}${after}`} />}
    />,
  );
};
export const textareaHtml = (field: Field, value: string, attributes: Attributes): string =>
  htmlOf(<TextareaField field={field} value={value} attributes={attributes} />);
export const selectHtml = (field: Field, value: string, choices: readonly Choice[], attributes: Attributes, empty?: string): string =>
  htmlOf(<SelectField field={field} value={value} choices={choices} attributes={attributes} empty={empty} />);
export const checkboxHtml = (field: Field, checked: boolean, attributes: Attributes = {}): string =>
  htmlOf(<CheckboxField field={field} checked={checked} attributes={attributes} />);
export const faultHtml = (name: string, fault: string | undefined): string => htmlOf(<Fault name={name} fault={fault} />);
export const summaryHtml = (title: string, faults: ReadonlyMap<string, string>): string =>
  htmlOf(<FaultSummary title={title} faults={faults} />);
export const noticeHtml = (text: string | undefined): string => htmlOf(<Notice text={text} />);
export const written = (attributes: Attributes): string => /^<input(.*?) ?\/?>$/s.exec(htmlOf(<input {...attributes} />))?.[1] ?? '';
export const whenHtml = (event: Times & Altered, language: Language, timeZone: string): string =>
  htmlOf(<When event={event} language={language} timeZone={timeZone} />);
export const hoursHtml = (event: Times, now: Date, language: Language, timeZone: string): string =>
  htmlOf(<Hours event={event} now={now} language={language} timeZone={timeZone} />);
export const addressHtml = (address: PublicAddress, homeCountry: string | null | undefined, language: Language): string =>
  htmlOf(<Address address={address} homeCountry={homeCountry} language={language} />);
export const pictureHtml = (image: Pick<Image, 'id' | 'width' | 'height'>): string => htmlOf(<Picture image={image} />);
export const stickerHtml = (imageId: string, home = ''): string => htmlOf(<Sticker imageId={imageId} home={home} />);
