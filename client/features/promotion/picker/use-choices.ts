import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { MAX_SUBREDDITS_CHOSEN } from '../../../../contract/promotion.ts'
import { call, errorMessage } from '../../../lib/api.ts'
import { roots } from '../../../lib/query.ts'
import { routes } from '../../../lib/routes.ts'
import { useUnsaved } from '../../../lib/unsaved.ts'
import { toast } from '../../../ui/toast.ts'
import { type Post, postQuery } from '../posts/api.ts'
import { type Choices, moved, movedBack, type Place, placeOf } from './choices.ts'
import { pickerTexts as texts } from './texts.ts'

/** How long changes rest before they are saved together. */
const SAVE_AFTER_MS = 600

/** A post’s subreddits: shown at once as they are chosen, saved together a moment later, kept until they are. */
export function useChoices(post: Post) {
  const client = useQueryClient()
  const { queryKey } = postQuery(post._id)
  const [draft, setDraft] = useState<Choices | null>(null)
  const choices = draft ?? { usable: post.usableSubreddits, discarded: post.discardedSubreddits }
  const latest = useRef(choices)
  latest.current = choices

  const isGone = useRef(false)
  const save = useMutation({
    // One after the other, so that the last word is the last one sent.
    scope: { id: `picker ${post._id}` },
    mutationFn: ({ usable, discarded }: Choices) =>
      call(routes.editPost, {
        params: { redditPostId: post._id },
        body: { usableSubreddits: [...usable], discardedSubreddits: [...discarded] },
      }),
    onMutate: () => client.cancelQueries({ queryKey }),
    onSuccess: (saved, sent) => {
      client.setQueryData(queryKey, saved)
      setDraft((now) => (now === sent ? null : now))
    },
    // The page that would say so is left.
    onError: (error) => isGone.current && toast.failure(`${texts.saveFailed} ${errorMessage(error)}`),
    meta: {
      outdates: [
        [...roots.promotion, 'posts', 'all'],
        [...roots.promotion, 'subreddits'],
      ],
    },
  })
  const { mutate } = save

  const unsent = useRef<Choices | null>(null)
  useEffect(() => {
    unsent.current = draft
    if (!draft) return
    const timer = setTimeout(() => {
      unsent.current = null
      mutate(draft)
    }, SAVE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [draft, mutate])
  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
      // Leaving saves at once what still rests.
      if (unsent.current) mutate(unsent.current)
    }
  }, [mutate])
  useUnsaved(draft && save.isError ? texts.lost : null)

  const change = (next: Choices) => {
    latest.current = next
    if (isGone.current) mutate(next)
    else setDraft(next)
    // What was asked for before would show an earlier state.
    void client.cancelQueries({ queryKey })
  }
  return {
    choices,
    state: save.isError && draft ? ('failed' as const) : draft ? ('saving' as const) : ('saved' as const),
    error: save.error,
    retry: () => draft && mutate(draft),
    /** Puts subreddits somewhere else, and offers to take that back. */
    move(names: readonly string[], place: Place) {
      const before = latest.current
      const next = moved(before, names, place)
      if (next.usable.length > MAX_SUBREDDITS_CHOSEN || next.discarded.length > MAX_SUBREDDITS_CHOSEN) {
        toast.failure(texts.full)
        return
      }
      const count = names.filter((name) => placeOf(before, name) !== place).length
      if (count === 0) return
      change(next)
      const said =
        place === 'usable'
          ? texts.didSelect(count)
          : place === 'discarded'
            ? texts.didDiscard(count)
            : texts.didRemove(names[0] ?? '')
      // Selecting is the rule, and taken back by the same button: a message for each would be in the way.
      if (place === 'usable' && names.length === 1) return
      const undo = () => change(movedBack(latest.current, before, names))
      toast.offer(said, { label: texts.undo, onAct: undo })
    },
  }
}
