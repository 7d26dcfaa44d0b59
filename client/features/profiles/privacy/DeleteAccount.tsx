import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { centsOf } from '../../../../contract/money.ts'
import type { Person } from '../../../lib/session.tsx'
import { writeToken } from '../../../lib/token.ts'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import {
  ReauthenticationProvider,
  useReauthentication,
} from '../../identity/parts/reauthentication/ReauthenticationDialog.tsx'
import { requestDeletion, unpaidQuery } from './api.ts'
import { goodbye } from './goodbye.ts'
import { deletionTexts as texts } from './texts.ts'

/** The way out (docs/product.md, Pages and Access): asked once, can be undone by logging in until it happens. */
export default function DeleteAccount({ person }: { person: Person }) {
  return (
    <ReauthenticationProvider>
      <Asking person={person} />
    </ReauthenticationProvider>
  )
}

function Asking({ person }: { person: Person }) {
  const reauthenticate = useReauthentication()
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button variant="outline" color="red" size="sm" onClick={() => setAsking(true)}>
        {texts.button}
      </Button>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={texts.title}
        confirmLabel={texts.confirm}
        cancelLabel={texts.cancel}
        destructive
        onConfirm={async () => {
          const deletion = await requestDeletion(person._id, reauthenticate)
          goodbye.say(deletion)
          writeToken(null)
        }}
      >
        <p>
          {texts.subscriptions} {person.isCreator && texts.subscribers}
        </p>
        {person.verifiedEmail === 'verified' && <Earnings />}
        <p>
          {texts.effect} {texts.afterwards(person.isCreator)}
        </p>
      </ConfirmDialog>
    </>
  )
}

/**
 * The balance that leaving doesn't pay out; nothing for people who have earned nothing. They can leave without
 * waiting for it all the same.
 */
function Earnings() {
  const { data, isError } = useQuery(unpaidQuery)
  if (isError && !data) return <p>{texts.earnedUnknown}</p>
  if (!data) return <SkeletonLines lines={2} />
  const { available, pending, reserved, minimum } = data
  const left = [
    [available, texts.available],
    [pending, texts.pending],
    [reserved, texts.onHold],
  ].flatMap(([amount, where]) => (amount && centsOf(amount) > 0 ? [`${amount} ${where}`] : []))
  if (left.length === 0) return null
  return (
    <p>
      {texts.earned(left)} {texts.payoutFirst(minimum)}
    </p>
  )
}
