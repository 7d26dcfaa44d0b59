import { IconGift } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { paths } from '../../../lib/paths.ts'
import { useCurrentUser } from '../../../lib/session.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { ownOffersQuery } from '../offers/api.ts'
import { insertTexts as texts } from '../offers/texts.ts'
import { OffersDialog } from './OffersDialog.tsx'

/** Puts the link of the creator’s offer into a message: at once where only one holds, else by a choice. */
export function InsertOffer({ onInsert }: { onInsert: (link: string) => void }) {
  const { username } = useCurrentUser()
  const client = useQueryClient()
  const [choosing, setChoosing] = useState(false)
  const find = useMutation({
    mutationFn: async () => {
      const { pages } = await client.fetchInfiniteQuery({ ...ownOffersQuery, staleTime: 0 })
      const active = pages.flatMap(({ items }) => items).filter(({ status }) => status === 'active')
      return active.length === 1 && !pages.at(-1)?.nextCursor ? active[0] : undefined
    },
    onSuccess: (only) => {
      if (only) onInsert(`${window.location.origin}${paths.offer(username, only._id)}`)
      else setChoosing(true)
    },
    // The dialog says so, and offers to try again.
    onError: () => setChoosing(true),
  })
  return (
    <>
      <Button
        variant="subtle"
        loading={find.isPending}
        leftSection={<IconGift size={18} stroke={1.75} aria-hidden />}
        onClick={() => find.mutate()}
      >
        {texts.title}
      </Button>
      <OffersDialog
        opened={choosing}
        onClose={() => setChoosing(false)}
        onInsert={(link) => {
          setChoosing(false)
          onInsert(link)
        }}
      />
    </>
  )
}
