/** Whether the path is one of promotion's pages, whose table comes by itself (client/app/routes-promotion.tsx). */
export const isPromotion = (path: string) =>
  /^\/(tokenconf|edit(user)?sri|dashboard\/(reddit|creater|edit\/(post|srl)|finds|sched|plan|timeline|post|mysub|subredditl|managesub))/i.test(
    path,
  )
