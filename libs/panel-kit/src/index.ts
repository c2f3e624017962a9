export * from './actions/form-values.js';
export * from './actions/form-view.js';
export { PlainForm, withoutRemoved, type RefusedForm } from './actions/plain-form.js';
export { euros, fileHref, listHref, newHref, pageHref, recordHref, related, relatedProperty, type RelatedItem } from './actions/related.js';
export type { ViewOf } from './actions/view-of.js';
export { keepToReveal, revealAction } from './actions/reveal.js';
export { qrPicture, shownCode } from './qr-picture.js';
export { PanelAssets } from './request/panel-assets.js';
export { PANEL_PATH, proofPath } from './request/panel-path.js';
export { currentPanelRequest } from './request/panel-request.js';
export { UploadedFile } from './request/uploaded-file.js';
export { entityReader, readerOfEachNode } from './resource/entity-reader.js';
export type { Reading } from './resource/entity-reader.js';
export type { PanelContent } from './resource/panel-content.js';
export type { ActionNeeds, Needs, ResourceRights } from './resource/resource-rights.js';
export { isHidden, withoutHidden } from './rights/hidden-values.js';
export { currentGrant, hasAll, mayNow, mayPerform, mayPerformOn } from './rights/may.js';
export type { PanelRights } from './rights/reachable.js';
export type {
  ExtraColumns,
  PanelKind,
  PanelNotice,
  PanelOutcome,
  PanelPrint,
  PanelAction,
  PanelPage,
  PanelEntry,
} from './resource/panel-entry.js';
export { declareProperties } from './resource/properties.js';
export type { PropertyDeclaration, Declarations } from './resource/properties.js';
export { PanelResource, PanelResources } from './resource/panel-resources.js';
export type { ResourceProvider } from './resource/panel-resources.js';
export { PanelFieldError } from './resource/panel-source.js';
export type {
  PanelValue,
  PanelRow,
  PanelTone,
  PanelProperty,
  PanelFilter,
  PanelQuery,
  PanelSort,
  PanelSource,
} from './resource/panel-source.js';
export { toInstant } from './resource/panel-values.js';
export { namedBy, searchProperty } from './resource/searched.js';
export { panelAdmin } from './router/panel-admin.js';
export { PanelRouter } from './router/panel-router.js';
export type { PanelOptions } from './router/panel-router.js';
export type { InvitationOptions } from './steps/invitation.router.js';
export type { ShownInvitation } from './steps/invitation.page.js';
export { beginSession } from './sign-in/begin-session.js';
export { PasskeyForm } from './passkeys/passkey-form.js';
export { askForPasskey, passkeyAnswer, passkeySite } from './passkeys/passkey-site.js';
export { PlainError, PlainField } from './actions/plain-field.js';
export { plainPage } from './sign-in/plain-page.js';
export type { PlainPage } from './sign-in/plain-page.js';
export { panelWords } from './words/panel-words.js';
export type { ResourceWords } from './words/panel-words.js';
export * from './words/resource-words.js';
