// Shows what push services deliver. It keeps no pages and no media: everything is asked of the server.

/** Seen in the browser’s tools: which of ours runs. */
const VERSION = 4

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

/** Opens a path of this site, in a tab that is already open if there is one. */
async function open(path) {
  const url = new URL(typeof path === 'string' ? path : '/', self.location.origin)
  if (url.origin !== self.location.origin) return
  const [page] = await self.clients.matchAll({ type: 'window' })
  if (!page) return self.clients.openWindow(url.href)
  await page.focus()
  // A tab that this worker doesn’t control yet can’t be led anywhere.
  await page.navigate(url.href).catch(() => self.clients.openWindow(url.href))
}
