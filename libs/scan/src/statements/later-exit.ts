/** SQL: the id in the log of an exit that counts since the server knows of the entry before it. @param l alias of the refused exit */
export const laterExitId = (l: string): string => `md5(${l}.scan_id::text || ${l}.ticket_id::text)::uuid`;
