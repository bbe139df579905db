// What the scripts find in a browser beside what TypeScript knows of it: htmx, our globals, the first lines of /sw.js,
// and elements taken for what the templates make of them.

interface Window {
  htmx: any;
  openDisk(name: string): (mode: IDBTransactionMode, act: (store: any) => any) => Promise<any>;
  box: import("./scripts/offline/queue.js").Box;
  outbox: import("./scripts/offline/outbox.js").Outbox;
  site: import("./scripts/offline/site.js").Site;
  leading: { engine: Worker | null; start: string; free: () => void; asked: Set<(answer: { trouble: string }) => void> };
  clients: any;
  skipWaiting(): Promise<void>;
  registration: ServiceWorkerRegistration;
}

interface EventTarget {
  id: any;
  src: any;
  closest: any;
  matches: any;
}

interface Event {
  detail: any;
  request: Request;
  clientId: string;
  data: any;
  ports: readonly MessagePort[];
  tag: string;
  prompt(): Promise<void>;
  respondWith(answer: Promise<Response>): void;
  waitUntil(work: Promise<unknown>): void;
}

interface ParentNode {
  querySelector(selector: string): any;
  querySelectorAll(selector: string): NodeListOf<any>;
}

interface HTMLFormControlsCollection {
  [name: string]: any;
}

interface Document {
  getElementById(id: string): any;
}

interface ServiceWorkerRegistration {
  sync?: { register(tag: string): Promise<void> };
}

declare const SwaggerUIBundle: any;
declare const RELEASE: string;
declare const SIZE: number;
declare const OFFLINE: string;
declare const FILES: string[];
declare const ENGINE: string;
declare const PLACES: string[];
declare const POLICY: string;
declare const WORKER_POLICY: string;
