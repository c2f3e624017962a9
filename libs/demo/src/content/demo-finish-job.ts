/** Completes a tenant of the demo when the process that fills it dies; the subject is the tenant. */
export const demoFinishJob = 'demo-finish';
/** The process that fills a tenant needs less to complete it. */
export const demoFinishSeconds = 180;
