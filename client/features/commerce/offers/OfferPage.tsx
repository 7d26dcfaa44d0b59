import { IconCircleCheck, IconClockOff, IconGift, IconLock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { Link, useLocation, useParams } from 'react-router'
import { ApiError, errorMessage } from '../../../lib/api.ts'
import { idempotencyKey } from '../../../lib/idempotency-key.ts'
import { paths } from '../../../lib/paths.ts'
import { type Person, useSession } from '../../../lib/session.tsx'
import { keepWish } from '../../../lib/wish.ts'
import { Avatar } from '../../../ui/Avatar.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { Fetched } from '../../../ui/Fetched.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { LinkButton, ReturningLinkButton } from '../../../ui/LinkButton.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { PageTitle } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import type { Buyable } from '../parts/buyable.ts'
import { usePurchase } from '../parts/purchase.tsx'
import { countView, type Offer, type OfferPage, offerQuery, useRedeemOffer } from './api.ts'
import { discountOf, headlineOf, kindOf } from './describe.ts'
import { OfferFacts } from './OfferFacts.tsx'
import styles from './OfferPage.module.css'
import { offerTexts as texts, viewTexts } from './texts.ts'

const ConfirmEmail = lazyPart(() =>
  import('../../identity/parts/ConfirmEmail.tsx').then((module) => module.ConfirmEmail),
)

/** An offer, or what stands in its place for this viewer (docs/product.md, Offers). */
export function Component() {
  const { offerId = '' } = useParams()
  const { userLoading } = useSession()
  const page = useQuery({ ...offerQuery(offerId), enabled: !userLoading })
  const { data } = page
  const missing = isMissing(page.error) && <ErrorState title={texts.missing} error={page.error} />
  const counts = data !== undefined && data.view !== 'own'
  useEffect(() => {
    if (counts) countView(offerId)
  }, [counts, offerId])
  return (
    <div className={styles.page}>
      <PageTitle>{texts.title}</PageTitle>
      {!data && missing ? (
        missing
      ) : (
        <Fetched query={page} waiting={<SkeletonLines lines={6} />} failed={texts.loadFailed}>
          {(shown) => <Shown key={offerId} {...shown} missing={missing} />}
        </Fetched>
      )}
    </div>
  )
}

const isMissing = (error: Error | null) => error instanceof ApiError && [400, 404].includes(error.status)

/** `missing` takes the offer's place once it is gone; not while the dialog is open, in which somebody types. */
function Shown({ offer, view, inside, missing }: OfferPage & { missing: ReactNode }) {
  // The dialog says how it ended after the offer itself has gone from the page.
  const { buy, dialog, isOpen } = usePurchase()
  const [wasOpen, setWasOpen] = useState(view === 'open')
  if (view === 'open' && !wasOpen) setWasOpen(true)
  const done = view === 'redeemed' && wasOpen
  if (missing && !isOpen) return missing
  return (
    <article className={styles.offer}>
      <Creator creator={offer.creatorId} />
      {view === 'open' ? (
        <Open offer={offer} onBuy={buy} />
      ) : view === 'login' ? (
        <>
          <h1 className={styles.headline}>{texts.title}</h1>
          <Visitor />
        </>
      ) : done ? (
        <Closed
          Icon={IconCircleCheck}
          good
          title={texts.doneTitle}
          text={
            offer.subscriptionDays === null
              ? texts.done.other
              : texts.done[offer.price === null ? 'free' : 'paid']
          }
          actions={<WayInside offer={offer} />}
        />
      ) : (
        <Instead offer={offer} view={view} inside={inside} />
      )}
      {dialog}
    </article>
  )
}

function Creator({ creator }: { creator: Offer['creatorId'] }) {
  const { username, firstName, profileImage } = creator
  return (
    <Link className={styles.creator} to={paths.profile(username)}>
      <Avatar src={profileImage} name={username} size={64} />
      <span>
        <span className={styles.from}>{texts.from}</span>
        <span className={styles.name}>{firstName || username}</span>
        <span className={styles.from}>@{username}</span>
      </span>
    </Link>
  )
}

/** The content and price of an offer, and the one way to get it. */
function Open({ offer, onBuy }: { offer: Offer; onBuy: (item: Buyable) => void }) {
  const { currentUser } = useSession()
  const discount = discountOf(offer)
  return (
    <>
      <h1 className={styles.headline}>{headlineOf(offer)}</h1>
      <OfferFacts offer={offer} />
      {!currentUser ? (
        <Visitor />
      ) : discount ? (
        <Button size="lg" fullWidth onClick={() => onBuy(discount)}>
          {(kindOf(offer) === 'Trial' ? texts.buy.Trial : texts.buy.other)(discount.price)}
        </Button>
      ) : currentUser.verifiedEmail === 'verified' ? (
        <Redeem offer={offer} />
      ) : (
        <Unconfirmed offer={offer} person={currentUser} />
      )}
    </>
  )
}

/** Once the email is verified, in any tab, this page continues; the tab of the link leads back to it. */
function Unconfirmed({ offer, person }: { offer: Offer; person: Person }) {
  const { pathname, search } = useLocation()
  const { firstName, username } = offer.creatorId
  const label = texts.wish(firstName || username, headlineOf(offer))
  useEffect(() => keepWish({ label, path: pathname + search, thing: null }), [label, pathname, search])
  return (
    <div className={styles.actions}>
      <p>{texts.verify}</p>
      <ConfirmEmail person={person} />
    </div>
  )
}

function Redeem({ offer }: { offer: Offer }) {
  const redeem = useRedeemOffer(offer._id)
  const [key] = useState(idempotencyKey)
  return (
    <div>
      <FormError>{redeem.error && errorMessage(redeem.error)}</FormError>
      <Button
        size="lg"
        fullWidth
        loading={redeem.isPending}
        leftSection={<IconGift size={20} aria-hidden />}
        onClick={() => redeem.mutate(key)}
      >
        {texts.redeem[kindOf(offer)]}
      </Button>
    </div>
  )
}

/** Both ways lead back to the offer. */
function Visitor() {
  return (
    <div className={styles.actions}>
      <p className={styles.note}>{texts.visitor}</p>
      <ReturningLinkButton size="lg" fullWidth to={paths.signup}>
        {texts.signUp}
      </ReturningLinkButton>
      <ReturningLinkButton size="lg" fullWidth variant="default" to={paths.login}>
        {texts.logIn}
      </ReturningLinkButton>
    </div>
  )
}

const ICONS: Partial<Record<OfferPage['view'], typeof IconGift>> = {
  expired: IconClockOff,
  usedUp: IconClockOff,
  gone: IconClockOff,
  unavailable: IconLock,
}

type InsteadProps = { offer: Offer; view: keyof typeof viewTexts; inside: boolean }

function Instead({ offer, view, inside }: InsteadProps) {
  const { firstName, username } = offer.creatorId
  const { title, text } = viewTexts[view]
  const has = inside && (view === 'redeemed' || view === 'owned')
  return (
    <Closed
      Icon={ICONS[view] ?? IconGift}
      title={title}
      text={text}
      actions={
        view === 'own' ? (
          <LinkButton size="lg" fullWidth to={paths.offers}>
            {texts.manage}
          </LinkButton>
        ) : has ? (
          <WayInside offer={offer} />
        ) : (
          <LinkButton size="lg" fullWidth variant="default" to={paths.profile(username)}>
            {texts.profile(firstName || username)}
          </LinkButton>
        )
      }
    >
      {view === 'own' && (
        <>
          <p className={styles.preview}>{headlineOf(offer)}</p>
          <OfferFacts offer={offer} />
        </>
      )}
    </Closed>
  )
}

function WayInside({ offer }: { offer: Offer }) {
  const inside = kindOf(offer) === 'Trial' ? paths.profile(offer.creatorId.username) : paths.yourContent
  return (
    <LinkButton size="lg" fullWidth to={inside}>
      {texts.see}
    </LinkButton>
  )
}

type ClosedProps = {
  Icon: typeof IconGift
  good?: boolean
  title: string
  text?: string | undefined
  actions: ReactNode
  children?: ReactNode
}

function Closed({ Icon, good, title, text, actions, children }: ClosedProps) {
  return (
    <>
      <div className={styles.closed} role="status">
        <span className={styles.icon} data-good={good || undefined}>
          <Icon size={32} stroke={1.5} aria-hidden />
        </span>
        <h1 className={styles.title}>{title}</h1>
        {text && <p className={styles.note}>{text}</p>}
      </div>
      {children}
      <div className={styles.actions}>{actions}</div>
    </>
  )
}
