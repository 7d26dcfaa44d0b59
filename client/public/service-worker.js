// Shows what push services deliver. It keeps no pages and no media: everything is asked of the server.

/** Seen in the browser’s tools: which of ours runs. */
const VERSION = 5
/** How long a tab has to answer, in milliseconds: a window opens only soon after a click. */
const ANSWER_MS = 300

self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

self.addEventListener('push', (event) => {
  event.waitUntil(show(event.data?.json() ?? {}))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(event.notification.data?.path))
})

self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(replace(event)))

/** An address that was given up is replaced with the same key; the server knows this browser by the old one alone, which some don’t say. */
async function replace({ oldSubscription: before, newSubscription }) {
  if (self.Notification.permission !== 'granted') return
  if (!before) {
    for (const page of await self.clients.matchAll({ type: 'window' }))
      page.postMessage({ type: 'push lost' })
    return
  }
  const { pushManager } = self.registration
  const subscription = newSubscription ?? (await pushManager.subscribe(before.options))
  await self.fetch('/api/notifications/push/replace', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ before, subscription }),
  })
}

/** A page that somebody looks at shows it by itself. */
async function show({ title = 'Fanfare', body, path, tag, renotify, id, kind }) {
  const pages = await self.clients.matchAll({ type: 'window' })
  const inSight = pages.filter(({ visibilityState }) => visibilityState === 'visible')
  for (const page of inSight) page.postMessage({ type: 'notification', id, kind, version: VERSION })
  if (inSight.length > 0 && !(await mustShow())) return
  await self.registration.showNotification(title, {
    body,
    tag,
    // Else what takes the place of another one makes no sound. Without a tag it takes nobody’s, and would be refused.
    renotify: renotify === true && Boolean(tag),
    icon: '/icon-192.png',
    badge: '/icon-192.png',
    data: { path },
  })
}

/** Safari takes the permission away when a push isn’t shown, whatever is in sight. */
async function mustShow() {
  const subscription = await self.registration.pushManager.getSubscription()
  return subscription !== null && new URL(subscription.endpoint).hostname.endsWith('.push.apple.com')
}

/** Shows a path of this site: a tab that shows it already, else a new one, as others may hold what somebody is writing. */
async function open(path) {
  const url = new URL(typeof path === 'string' ? path : '/', self.location.origin)
  if (url.origin !== self.location.origin) return
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const shown = await Promise.all(pages.map(addressOf))
  const page = pages[shown.indexOf(url.pathname + url.search)]
  await (page ? page.focus() : self.clients.openWindow(url.href))
}

/** What a tab shows, if it says so at once: what the browser says may be where the tab was opened. */
function addressOf(page) {
  const { port1, port2 } = new self.MessageChannel()
  return new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data)
    self.setTimeout(() => resolve(null), ANSWER_MS)
    page.postMessage({ type: 'address' }, [port2])
  }).finally(() => port1.close())
}
