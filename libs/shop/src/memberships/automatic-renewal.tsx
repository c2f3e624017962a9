import { CheckboxField } from '#page-kit';
import type { AutomaticRenewal, MembershipOffer } from '#memberships';
import { currency, currentLanguage, dayWords, dotted, type Language, moneyWords } from '#kernel';
import { currentTenant } from '#tenancy';
import type { VNode } from 'preact';
import type { TypedContact } from '../order/contact-form.dto.js';
import { membershipWords } from './membership.words.js';

interface RenewsItselfProps {
  /** Of the field. */
  readonly name: string;
  /** The membership, where there may be several. */
  readonly product?: string;
  readonly period: MembershipOffer['period'];
  readonly typed: TypedContact;
  readonly language: Language;
}

/** The wish that a membership is renewed and charged by itself; not ticked before. */
export function RenewsItself({ name, product, period, typed, language }: RenewsItselfProps): VNode {
  const words = membershipWords[language];
  const label = dotted([...(product === undefined ? [] : [product]), period === 'M' ? words.renewsMonthly : words.renewsYearly]);
  return <CheckboxField field={{ name, label }} checked={(typed(name)[0] ?? '') !== ''} />;
}

/** When a membership is renewed by itself and for how much, with the way to end that. */
export function Automatic({ automatic, path }: { readonly automatic: AutomaticRenewal; readonly path: string }): VNode {
  return (
    <p>
      {automaticText(automatic)} <a href={path}>{membershipWords[currentLanguage()].stop}</a>
    </p>
  );
}

/** `It is renewed by itself on 5 December 2026, for €25.` */
export function automaticText({ dueAt, amount, isUnderWay }: AutomaticRenewal): string {
  const language = currentLanguage();
  const words = membershipWords[language];
  if (isUnderWay) return words.charging;
  return words.renewsOn(dayWords(dueAt, language, currentTenant().timeZone), moneyWords(amount, currency, language));
}
