import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { redditPostRoutes } from '../../../../contract/routes/promotion/posts.ts'
import { call } from '../../../lib/api.ts'
import { promotionPaths } from '../../../lib/promotion-paths.ts'
import { routes } from '../../../lib/routes.ts'
import { BackLink } from '../../../ui/BackLink.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { Fetched } from '../../../ui/Fetched.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { Page } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { changesOf } from '../parts/edited.ts'
import { type Post, postChanges, postQuery } from './api.ts'
import { ComparedTitles } from './ComparedTitles.tsx'
import { PostedSubreddits } from './PostedSubreddits.tsx'
import { checkOf, PostFields, type PostValues } from './PostFields.tsx'
import { PostHistory } from './PostHistory.tsx'
import styles from './posts.module.css'
import { postTexts as texts } from './texts.ts'

/** Titles, link and comment of a post. */
export function Component() {
  const { redditPostId = '' } = useParams()
  const query = postQuery(redditPostId)
  const post = useQuery(query)
  const client = useQueryClient()
  const forgotten = (subreddit: string) =>
    client.setQueryData(
      query.queryKey,
      (known) =>
        known && {
          ...known,
          postedSubreddits: known.postedSubreddits.filter((one) => one.subreddit !== subreddit),
        },
    )
  return (
    <Page
      title={texts.editTitle}
      lead={texts.editLead}
      width="form"
      back={<BackLink to={promotionPaths.posts}>{texts.all}</BackLink>}
      action={
        <LinkButton to={promotionPaths.findSubreddits(redditPostId)} variant="default">
          {texts.choose}
        </LinkButton>
      }
    >
      <Fetched query={post} waiting={<SkeletonLines lines={8} />} failed={texts.failed}>
        {(data) => (
          <div className={styles.cards}>
            <EditForm key={redditPostId} post={data} />
            {data.titles.length > 1 && <ComparedTitles postId={redditPostId} />}
            <PostedSubreddits post={data} onForgotten={forgotten} />
            <PostHistory postId={redditPostId} />
          </div>
        )}
      </Fetched>
    </Page>
  )
}

function EditForm({ post }: { post: Post }) {
  const client = useQueryClient()
  const redditPostId = post._id
  const form = useContractForm(redditPostRoutes.editPost, {
    initial: valuesOf(post),
    body: (values, kept) => changesOf(editedOf(values), editedOf(kept)),
    check: checkOf,
    send: (body) => call(routes.editPost, { params: { redditPostId }, body }),
    onSuccess: (saved) => {
      client.setQueryData(postQuery(redditPostId).queryKey, saved)
      toast.success(texts.updated)
    },
    // What another tab saved is shown with it; what was typed meanwhile stays.
    afterSaved: (answer, sent, now) => {
      const saved = valuesOf(answer)
      return { saved, values: { ...saved, ...changesOf(now, sent) } }
    },
    meta: postChanges,
    lost: texts.lostChanges,
  })
  return (
    <Card>
      <ContractForm form={form} label={texts.editTitle}>
        <PostFields form={form} isKnown={post.mediaId !== null} isEdited />
        <FormError>{form.error}</FormError>
        <div>
          <Button type="submit" loading={form.pending}>
            {texts.save}
          </Button>
        </div>
      </ContractForm>
    </Card>
  )
}

const valuesOf = (post: Post): PostValues => ({
  source: post.mediaId === null ? 'link' : 'item',
  link: post.link,
  mediaId: post.mediaId ?? '',
  titles: [...post.titles],
  unchosen: post.testTitles ? 'inTurn' : 'first',
  comment: post.comment,
  nsfw: post.nsfw,
  offerId: post.offerId ?? '',
})

/** What is edited of a post; one of an item keeps it. */
const editedOf = ({ source, link, titles, unchosen, comment, nsfw, offerId }: PostValues) => ({
  offerId: offerId || null,
  titles,
  testTitles: unchosen === 'inTurn',
  comment,
  nsfw,
  ...(source === 'link' ? { link } : {}),
})
