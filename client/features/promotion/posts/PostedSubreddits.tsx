import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { Card } from '../../../ui/Card.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { ToolButton } from '../parts/ToolButton.tsx'
import { type Post, useForgetPosted } from './api.ts'
import styles from './posts.module.css'
import { postTexts as texts } from './texts.ts'

type PostedSubredditsProps = { post: Post; onForgotten: (subreddit: string) => void }

/** Where a post was shown, each with the way to choose it again. */
export function PostedSubreddits({ post, onForgotten }: PostedSubredditsProps) {
  const forget = useForgetPosted(post._id)
  const [asking, setAsking] = useState<string | null>(null)
  return (
    <Card>
      <section aria-labelledby="posted">
        <h2 id="posted" className={styles.heading}>
          {texts.posted}
        </h2>
        <p className={styles.quiet}>
          {post.postedSubreddits.length === 0 ? texts.notPosted : texts.postedHint}
        </p>
        <ul>
          {post.postedSubreddits.map(({ subreddit, postedTime }) => (
            <li key={subreddit} className={styles.postedRow}>
              <span className={styles.words}>r/{subreddit}</span>
              <span className={styles.quiet}>{texts.postedOn(postedTime)}</span>
              <ToolButton
                label={texts.forget(subreddit)}
                Icon={IconTrash}
                onClick={() => setAsking(subreddit)}
              />
            </li>
          ))}
        </ul>
      </section>
      <ConfirmDialog
        opened={asking !== null}
        onClose={() => setAsking(null)}
        title={texts.forgetTitle(asking ?? '')}
        confirmLabel={texts.forgetConfirm}
        destructive
        onConfirm={async () => {
          if (asking === null) return
          await forget.mutateAsync(asking)
          onForgotten(asking)
          toast.success(texts.forgotten(asking))
        }}
      >
        <p>{texts.forgetEffect}</p>
      </ConfirmDialog>
    </Card>
  )
}
