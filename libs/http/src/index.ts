export * from './connections/delayed-refusal.js';
export { Preconditions, IfMatch, readsPreconditions } from './answers/preconditions.js';
export * from './answers/refusals.js';
export { Redirection, reply, Reply, seeOther, settle } from './answers/reply.js';
export { Versioned, AppliesPrefer, versioningOf, appliesPrefer, ReadsFound, readsFound } from './answers/versioned.js';
export * from './documentation/model.js';
export { type RouteDescription, Describe, descriptionOf, OptionalBody } from './documentation/operation.js';
export { describeWebhook, allWebhooks } from './documentation/webhooks.js';
export { jsonBody, refuseLargeJson, hasContentCoding } from './request/http-body.js';
export { TakesForm, readFormFirst, formFilesOf, FormFiles } from './forms/http-form.js';
export { readMultipart, type FormLimits } from './forms/multipart.js';
export { Slices } from './forms/slices.js';
export type { MeasureSender } from './forms/senders.js';
export { type FormContent, inUploadTurn } from './forms/upload-turns.js';
export { mostUnanswered, ConnectionLimits } from './connections/connection-limits.js';
export * from './connections/queued-responses.js';
export * from './request/request-limits.js';
export { entityTag, textTag } from './answers/entity-tag.js';
export * from './forms/body-guard.js';
export * from './cookies.js';
export * from './one-layer.js';
export * from './request/page-turns.js';
export * from './answers/json-list.js';
export { PageQuery, type Page, toPage } from './answers/paging.js';
export {
  decorateProblems,
  type Answer,
  AnswerKnown,
  type ProblemPage,
  showProblems,
  answerProblem,
  problemAnswer,
} from './answers/problem-answer.js';
export * from './answers/problem.filter.js';
export * from './request/request-edge.js';
export * from './request/same-origin.js';
export { cutSlowReaders } from './connections/slow-readers.js';
export * from './server-load.js';
export * from './server-stop.js';
export { documentOf, Dotted, htmlOf, Stacked, SafeHtml } from './html/html.js';
export { LanguageList } from './html/language-list.js';
export * from './answers/deprecated-by.js';
export { IsInstant, BodyPipe } from './request/validation.js';
export { AcceptsFound } from './leniency/found-bodies.js';
export * from './answers/whole-list.js';
export { isPagePath, addressIn, followLanguageChoice } from './request/chosen-language.js';
export * from './request/negotiate-language.js';
export * from './request/request-scope.js';
export * from './request/uuid-param.js';
export * from './http.module.js';
