import { useNavigate } from 'react-router'
import { redditPostRoutes } from '../../../../contract/routes/promotion/posts.ts'
import { promotionPaths } from '../../../lib/promotion-paths.ts'
import { discardUnsaved } from '../../../lib/unsaved.ts'
import { Card } from '../../../ui/Card.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { Page } from '../../../ui/Page.tsx'
import { postChanges } from './api.ts'
import { checkOf, PostFields, type PostValues, sentOf } from './PostFields.tsx'
import { postTexts as texts } from './texts.ts'

const newPost: PostValues = {
  source: 'link',
  link: '',
  mediaId: '',
  titles: [''],
  unchosen: 'first',
  comment: '',
  nsfw: true,
  offerId: '',
}

/** A new post, which the picker finds subreddits for next. */
export function Component() {
  const navigate = useNavigate()
  const form = useContractForm(redditPostRoutes.createPost, {
    initial: newPost,
    body: sentOf,
    check: checkOf,
    onSuccess: ({ _id }) => {
      discardUnsaved()
      void navigate(promotionPaths.findSubreddits(_id))
    },
    meta: postChanges,
    lost: texts.lost,
  })
  return (
    <Page title={texts.createTitle} lead={texts.createLead} width="form">
      <Card>
        <ContractForm form={form} label={texts.createTitle}>
          <PostFields form={form} />
          <FormError>{form.error}</FormError>
          <div>
            <Button type="submit" loading={form.pending}>
              {texts.create}
            </Button>
          </div>
        </ContractForm>
      </Card>
    </Page>
  )
}
