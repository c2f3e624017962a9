export * from './time/database-clock.js';
export { themeColours, type ThemeColours } from './data/theme-colours.js';
export { type Rgb, usualAccent, rgbOf, inkOn, mixed } from './data/colours.js';
export * from './data/database-errors.js';
export {
  type Times,
  momentWords,
  dayWords,
  type Clock,
  clockOf,
  plainClockOf,
  firstTimeWords,
  timeWords,
  dayAndTimeWords,
  untilWhen,
  beforeWhen,
  dateOf,
  isOneEvening,
  isWholeDays,
  whenText,
  type Moment,
  whenParts,
  withoutEmptyEnd,
  capitalized,
} from './text/date-words.js';
export {
  customersOfSite,
  networkOfClient,
  networksOfClient,
  type ClientNetworks,
  clientNetworks,
  siteOfClient,
  isNearAddress,
  isOwnMachine,
} from './context/client-networks.js';
export { drawDocument, drawPicture } from './limits/drawing-turns.js';
export { serverBusy, FairLimit } from './limits/fair-limit.js';
export * from './limits/hand-over.js';
export * from './limits/in-slices.js';
export { SharedReading } from './limits/shared-reading.js';
export { TenantCache } from './limits/tenant-cache.js';
export * from './limits/recent-readings.js';
export * from './limits/token-buckets.js';
export { Kept } from './bounds/kept.js';
export type { LimitTable } from './bounds/limit-table.js';
export * from './text/html.js';
export { problem as kernelProblem } from './problems/kernel.problems.js';
export * from './kernel.module.js';
export {
  languageFacts,
  type Language,
  fallbackLanguage,
  languages,
  type Text,
  isLanguage,
  forEachLanguage,
  factsOf,
  localeOf,
} from './locales/language.js';
export * from './observe/logger.js';
export * from './observe/loop-share.js';
export * from './observe/metrics.js';
export * from './problems/must.js';
export * from './text/money-words.js';
export * from './outbound/outbound.js';
export * from './text/email-address.js';
export * from './text/web-addresses.js';
export * from './text/masked-email.js';
export * from './data/confirmation-ways.js';
export { giftCardAmounts } from './data/gift-card-amounts.js';
export { type CsvTable, readCsv } from './data/csv-table.js';
export * from './data/grouped.js';
export * from './data/present.js';
export * from './data/project-folder.js';
export { type BodyFault, Problem, type ProblemBody, defineProblems, allProblems, problemBody } from './problems/problem.js';
export { type RateLimitName, type Client, RateLimits } from './limits/rate-limits.js';
export * from './problems/refused-input.js';
export {
  type WaitingClient,
  type RequestContext,
  runInRequest,
  currentRequest,
  currentClient,
  runAsActor,
  runAsJob,
  currentJob,
  currentActor,
  currentLanguage,
  isLenient,
  ignoreMember,
} from './context/request-context.js';
export * from './context/scope.js';
export * from './secrets/secret-box.js';
export * from './secrets/server-secret.js';
export { isOwnDemo, showsMailLinks } from './settings/own-demo.js';
export * from './settings/settings.js';
export * from './settings/unknown-settings.js';
export { type TextLimits, hasControls, isVisible, isAtMost, refuseUnfitTexts, refuseUnfitText } from './problems/text-rules.js';
export * from './secrets/signed-links.js';
export * from './text/ascii-words.js';
export {
  foldedSql,
  foldedColumnSql,
  folded,
  likeLiteral,
  searchColumn,
  longestSearch,
  type SearchWord,
  searchWords,
} from './text/text-search.js';
export * from './problems/uuid.js';
export * from './observe/within.js';
export * from './time/country-zones.js';
export * from './time/venue-day.js';
export * from './time/zoned-time.js';
export * from './context/actor-columns.js';
export * from './text/money.js';
export { Catalogue } from './locales/catalogue.js';
export { folderTexts } from './locales/folder-texts.js';
export * from './locales/language-names.js';
export { localesFolder } from './locales/catalogue-files.js';
export type { TextParameters } from './locales/text-paths.js';
