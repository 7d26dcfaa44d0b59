import { call } from '../../../lib/api.ts'
import { queryClient } from '../../../lib/query.ts'
import { routes } from '../../../lib/routes.ts'
import { store } from '../../../lib/storage.ts'
import { catchUpNotifications } from '../api.ts'

/** Under what it stands who turned on push in this browser. */
const PUSH_KEY = 'pushFor'
const SERVICE_WORKER = '/service-worker.js'

/**
 * This browser's push support: `install-first` on an iPhone or iPad whose person has not added the site to the home
 * screen.
 */
export function pushSupport(): 'yes' | 'no' | 'install-first' | 'denied' {
  if ('Notification' in window && 'serviceWorker' in navigator && 'PushManager' in window)
    return Notification.permission === 'denied' ? 'denied' : 'yes'
  return isApplesMobile(navigator) ? 'install-first' : 'no'
}

/** An iPad says that it is a Mac, none of which has a screen for fingers. */
const isApplesMobile = ({ userAgent, maxTouchPoints }: Navigator) =>
  /iPhone|iPad/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)

/** Asks the person, and has notifications sent to this browser; false when they said no. Throws what failed. */
export async function turnOnPush(publicKey: string, personId: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false
  const worker = await register()
  const before = await worker.pushManager.getSubscription()
  // One of another key, as of an installation before, would be sent nothing.
  if (before && keyOf(before) !== publicKey) await before.unsubscribe()
  await send(await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey }))
  store.setItem(PUSH_KEY, personId)
  latest = personId
  return true
}

/** Has nothing sent to this browser anymore. */
export async function turnOffPush(): Promise<void> {
  await call(routes.removePush, { body: { which: 'here' } })
  store.removeItem(PUSH_KEY)
  await unsubscribe()
}

/**
 * After a login: push belongs to the session, and the browser’s address may be new, or gone. Somebody else’s login ends
 * what was turned on here, as their session may go on; it begins again with them.
 */
export async function renewPush(personId: string): Promise<void> {
  latest = personId
  if (pushSupport() !== 'yes' || Notification.permission !== 'granted') return
  // Whatever fails here is tried again when the site is next opened.
  await (store.getItem(PUSH_KEY) === personId ? renew(personId) : unsubscribe()).catch(() => undefined)
}

async function renew(personId: string): Promise<void> {
  const worker = await register()
  const subscription = (await worker.pushManager.getSubscription()) ?? (await subscribeAgain(worker))
  // A push service may take long, and somebody else be logged in by then, whose session it would belong to.
  if (latest !== personId) return renewPush(latest)
  if (subscription) await send(subscription)
}

/** Asks nobody, as it was allowed. */
async function subscribeAgain({
  pushManager,
}: ServiceWorkerRegistration): Promise<PushSubscription | undefined> {
  const { publicKey } = (await call(routes.notificationSettings)).push
  if (publicKey !== null)
    return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
}

async function unsubscribe(): Promise<void> {
  const worker = await navigator.serviceWorker.getRegistration()
  await (await worker?.pushManager.getSubscription())?.unsubscribe()
}

let listening = false
/** Who was last here. */
let latest = ''

async function register(): Promise<ServiceWorkerRegistration> {
  await navigator.serviceWorker.register(SERVICE_WORKER)
  if (!listening) {
    listening = true
    navigator.serviceWorker.addEventListener('message', ({ data, ports: [port] }) => {
      if (data.type === 'push lost') void renewPush(latest)
      else if (data.type === 'address') port?.postMessage(location.pathname + location.search)
      // In sight, the page shows what came instead of the browser.
      else void catchUpNotifications(queryClient)
    })
  }
  return navigator.serviceWorker.ready
}

async function send(subscription: PushSubscription): Promise<void> {
  const { endpoint = '', keys: { p256dh = '', auth = '' } = {} } = subscription.toJSON()
  await call(routes.addPush, { body: { endpoint, keys: { p256dh, auth } } })
}

function keyOf({ options }: PushSubscription): string {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0))
  const base64 = btoa(String.fromCharCode(...bytes))
  return base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}
