import { ApiClient, useNotice, type ActionJSON, type NoticeMessage, type RecordJSON, type ResourceJSON } from 'adminjs';
import { useEffect, useRef, useState } from 'react';

const api = new ApiClient();

/** What AdminJS gives the page of an action. */
export interface ResourcePage {
  readonly resource: ResourceJSON;
  readonly action: ActionJSON;
}

/** The same for an action on one record. */
export interface RecordPage extends ResourcePage {
  readonly record: RecordJSON;
}

/** An action: where requests of its page go. */
export interface ActionAddress {
  readonly resourceId: string;
  readonly actionName: string;
  readonly recordId?: string;
}

/** The server's answer to a request of a page. */
export interface Answer<View> {
  /** Null: the page has nothing to show, or the request was refused. */
  readonly view: View | null;
  readonly notice?: NoticeMessage;
  readonly redirectUrl?: string;
  readonly errors?: RecordJSON['errors'];
  readonly record?: RecordJSON;
}

/** Errors by field. */
export type Faults = Readonly<Record<string, string>>;

/** The action of a page. */
export const addressOf = ({ resource, action, record }: ResourcePage & { readonly record?: RecordJSON }): ActionAddress => ({
  resourceId: resource.id,
  actionName: action.name,
  ...(record && { recordId: record.id }),
});

/** Calls an action: reads its view, or performs it when there are data. An object without members is data, too. */
export async function call<View>(
  { recordId, ...address }: ActionAddress,
  request: { readonly data?: unknown; readonly params?: Readonly<Record<string, string>> } = {},
): Promise<Answer<View>> {
  const { data } =
    recordId === undefined
      ? await api.resourceAction({ ...address, ...request })
      : await api.recordAction({ ...address, recordId, ...request });
  return { ...data, view: (data['view'] ?? null) as View | null };
}

/** The errors of an answer, as keys of messages. */
export const faultsIn = ({ errors, record }: Answer<unknown>): Record<string, string> =>
  Object.fromEntries(Object.entries(errors ?? record?.errors ?? {}).map(([field, { message }]) => [field, message]));

/** Whether the server refused what was sent. */
export const isRefused = (answer: Answer<unknown>): boolean => answer.notice?.type === 'error' || Object.keys(faultsIn(answer)).length > 0;

/** Says that a request failed. */
export function useFailed(): () => void {
  const notify = useNotice();
  return () => void notify({ message: 'failed', type: 'error' });
}

/**
 * The view of a page, read again when the address or the parameters change.
 * @param received is told each view that is read
 * @returns the view, null while it loads, and what sets it
 */
export function useView<View>(
  address: ActionAddress,
  params?: Readonly<Record<string, string>>,
  received?: (view: View) => void,
): [view: View | null, setView: (view: View | null) => void] {
  const failed = useFailed();
  const [view, setView] = useState<View | null>(null);
  const latest = useRef(0);
  useEffect(() => {
    const turn = (latest.current += 1);
    call<View>(address, params && { params })
      .then(({ view: read }) => {
        if (turn !== latest.current) return;
        if (read !== null) received?.(read);
        setView(read);
      })
      .catch(failed);
  }, [JSON.stringify([address, params])]);
  return [view, setView];
}

/**
 * Sends what a page asks for, one request at a time, and shows the notice of the answer.
 * @param withFaults whether also that of an answer with errors of fields
 * @returns `send`: the answer; undefined when the request failed, which is said. `done` uses the answer before anything else is sent
 */
export function useSend(
  resourceId: string,
  withFaults = true,
): {
  readonly busy: boolean;
  readonly send: <View>(
    address: ActionAddress,
    data: unknown,
    done?: (answer: Answer<View>) => Promise<void>,
  ) => Promise<Answer<View> | undefined>;
} {
  const notify = useNotice();
  const failed = useFailed();
  const [busy, setBusy] = useState(false);
  const isBusy = useRef(false);
  const send = async <View>(
    address: ActionAddress,
    data: unknown,
    done?: (answer: Answer<View>) => Promise<void>,
  ): Promise<Answer<View> | undefined> => {
    if (isBusy.current) return undefined;
    isBusy.current = true;
    setBusy(true);
    try {
      const answer = await call<View>(address, { data });
      if (answer.notice && (withFaults || Object.keys(faultsIn(answer)).length === 0)) notify({ ...answer.notice, resourceId });
      await done?.(answer);
      return answer;
    } catch {
      failed();
      return undefined;
    } finally {
      isBusy.current = false;
      setBusy(false);
    }
  };
  return { busy, send };
}
