// The evolution of attention in two tracks; numbers come from lessons/c3/numbers.ts.
import {defineTimeline} from '../../web/site/timeline.js';

export default defineTimeline([
  {
    id: 'N1',
    track: 'train',
    label: '起点',
    name: 'RNN',
    year: '2014前',
    column: 0,
    picture: 'chain',
    wall: '{num rnn_updates}次',
    title: 'RNN：一个接一个地读',
    source: '注意力出现之前的主流做法',
    solved: '句子多长都能读，参数不随长度增加；读过的一切装进一个固定大小的状态h。',
    stuck:
      '第t步要等第t−1步：T＝{num rnn_length}时，每层有{num rnn_length}步没法并行，' +
      '第一个词元的信息到句末已被改写{num rnn_updates}次。翻译时整句原文只能压进一个固定向量，' +
      'Bahdanau等人2014年把它叫作瓶颈。',
    links: [{label: '岔路B1', lesson: 'c3-b1'}],
    lesson: 'c3-b1',
  },
  {
    id: 'N2',
    track: 'train',
    label: '第一代',
    name: '加性注意力',
    year: '2014',
    column: 1,
    picture: 'additive',
    wall: '{num additive_memory}',
    title: 'Bahdanau的加性注意力',
    source: 'Bahdanau等2014',
    solved:
      '解码的每一步都给原文的每个位置打分，再按权重把它们加起来，不再只靠一个固定向量。' +
      '打分用一个小网络：vᵀ·tanh(W₁q + W₂k)。',
    stuck:
      '每一对都要单独过tanh，写不成一次矩阵乘法。' +
      'T＝{num rnn_length}、d_a＝{num additive_width}时，' +
      '按最直接的写法，一层一个头的中间结果就占{num additive_memory}（BF16）；' +
      '点积只要{num dot_memory}。而且它仍然套在RNN里，还是得逐步算。',
    links: [{label: '第2课', lesson: 'c3-l02'}],
    lesson: 'c3-l02',
  },
  {
    id: 'N3',
    track: 'train',
    label: '第二代①',
    name: 'Q、K、V',
    year: '2017',
    yearNote: '同一篇论文里的四步',
    column: 2,
    picture: 'projection',
    wall: '标准差{num dot_std}',
    title: '自注意力：三个投影和点积',
    source: 'Vaswani等2017，§3.2',
    solved:
      '直接比词向量，「给了」最像它自己（余弦{num cos_geile}），' +
      '真正要找的小明{num cos_xiaoming}、' +
      '苹果{num cos_pingguo}、小王{num cos_xiaowang}排在最后。投影成Q、K再打分，' +
      '苹果{num score_pingguo}、小王{num score_xiaowang}、小明{num score_xiaoming}到了最前，' +
      '它自己落到末位（{num score_geile}）。所有的对一次乘法QKᵀ算完。内容另取一份V，' +
      '因为两个人名的K余弦高达{num cos_k_names}，靠K分不出谁是谁。',
    stuck:
      '不缩放的话，锚点模型每头{num head_dim}维，点积的标准差{num dot_std}，' +
      '同一行两个分数之差的标准差' +
      '{num gap_std}。分差{num gap_example}就是{num exp_gap_example}倍的权重之比：' +
      '多数行几乎只认一个词元，' +
      '这样的行传不回梯度，能教W_Q和W_K的只剩少数几行。',
    links: [
      {label: '第1课', lesson: 'c3-l01'},
      {label: '第2课', lesson: 'c3-l02'},
      {label: '第5课', lesson: 'c3-l05'},
    ],
    lesson: ['c3-l01', 'c3-l05'],
  },
  {
    id: 'N4',
    track: 'train',
    label: '第二代②',
    name: 'softmax÷√d',
    year: '2017',
    column: 3,
    picture: 'softmax',
    wall: '偷看{num weight_answer}',
    title: 'softmax与÷√d',
    source: 'Vaswani等2017，式（1）',
    solved:
      '权重为正、和为1、只看分差；若按占比分10、3、−4，汽车会拿到{num share_car}。' +
      '除以√d（锚点模型是{num dot_std}），点积的方差回到1。',
    stuck:
      '训练时整句一起送进去。没有掩码，「给了」这一行（已除以√d）把{num weight_answer}的权重' +
      '放在小王上，而小王正是它要预测的答案：损失低得不真实。',
    links: [{label: '第3课', lesson: 'c3-l03'}],
    lesson: 'c3-l03',
  },
  {
    id: 'N5',
    track: 'train',
    label: '第二代③',
    name: '因果掩码',
    year: '2017',
    column: 4,
    picture: 'mask',
    wall: '一份100 %',
    title: '因果掩码',
    source: 'Vaswani等2017，§3.2.3',
    solved:
      '在softmax之前把右上三角（不含对角线）的分数换成−∞，后面词元的权重恰好是0；' +
      '{num n_tokens}个词元的句子过一遍，{num n_questions}个前缀的预测题同时有了答案。',
    stuck:
      '一次softmax只有一份100 %。「给了」既想知道谁给的，又想知道给了什么，' +
      '只能在苹果{num causal_pingguo}和小明{num causal_xiaoming}之间分，取回一份掺在一起的V。',
    links: [{label: '第4课', lesson: 'c3-l04'}],
    lesson: 'c3-l04',
  },
  {
    id: 'N6',
    track: 'train',
    label: '回扣C2',
    name: 'RoPE',
    year: '2021',
    column: 7,
    picture: 'rope',
    next: 'N12',
    wall: '另存{num mla_rope}维',
    title: 'RoPE：只转Q和K',
    source: 'Su等2021；锚点模型只转一部分维',
    solved:
      'Q、K按各自的位置转过一个角度，点积受位置的影响就只剩相对距离i−j。V不参与打分，所以不转；' +
      '转了它，取回的内容里会掺进绝对位置。锚点模型每头{num head_dim}维里转{num rotary_dims}维。',
    stuck:
      '压缩缓存时会遇到困难：MLA想把K的升维矩阵提前并到Q那一边，中间却隔着随位置变的旋转，' +
      '没法先乘好，只好另存{num mla_rope}个旋转维（第10课）。',
    links: [
      {label: '第6课', lesson: 'c3-l06'},
      {label: 'C2第4课', course: 'C2'},
    ],
    lesson: 'c3-l06',
    branch: true,
  },
  {
    id: 'N7',
    track: 'train',
    label: '第二代④',
    name: '多头',
    year: '2017',
    column: 5,
    picture: 'heads',
    next: 'N9',
    wall: '白算{num decode_repeated}份',
    title: '多头注意力',
    source: 'Vaswani等2017，§3.2.2',
    solved:
      '同一套投影按列切成几个头，每个头有自己的softmax，参数和乘法次数都不变：' +
      '头A把{num head_a_xiaoming}给小明，头B把{num head_b_pingguo}给苹果。' +
      '锚点模型有{num n_heads}个头，每头{num head_dim}维。',
    stuck:
      '生成时一次只出一个词元。每步都把前文重新送一遍，提示{num decode_prompt}个、' +
      '生成{num decode_generated}个就要算{num decode_all}份K和V，' +
      '其中{num decode_repeated}份是重复的；' +
      '总量随长度的平方增加。',
    links: [{label: '第7课', lesson: 'c3-l07'}],
    lesson: 'c3-l07',
  },
  {
    id: 'N8',
    track: 'train',
    label: '岔路B4',
    name: '注意力汇',
    year: '2023',
    column: 8,
    picture: 'sink',
    title: '注意力汇和它的出口',
    source: 'Xiao等2023；Gated Attention 2025；DeepSeek-V4',
    solved:
      '普通softmax要求每一行把100 %全部分完。「苹果」一行的分数{num sink_score_xiaoming}、' +
      '{num sink_score_ba}、{num sink_score_pingguo}几乎没有差别，照样分成{num sink_xiaoming}、' +
      '{num sink_ba}、{num sink_pingguo}。在分母里加一个可学的汇logit，或给输出加一道门，' +
      '这个头就可以「这次什么都不取」；锚点模型的配置写着attn_output_gate＝true。',
    stuck:
      '证据都来自实验。Gated Attention的论文量到的是减轻，不是消除；' +
      'DeepSeek-V4没有单独公布汇logit的消融结果。',
    links: [{label: '岔路B4', lesson: 'c3-b4'}],
    lesson: 'c3-b4',
    branch: true,
  },
  {
    id: 'N9',
    track: 'generate',
    label: '第三代',
    name: 'KV缓存',
    column: 5,
    picture: 'cache',
    wall: '{num mha_total}',
    title: 'KV缓存',
    source: '通行做法',
    solved:
      '有了因果掩码，旧词元的K、V不会再变，存下来就好：同一个例子只算{num decode_cached}份，' +
      '输出逐位相同。',
    stuck:
      '缓存随上下文线性增长。' +
      '锚点模型的{num n_full_layers}个全注意力层若让{num n_heads}个头各存各的（MHA），' +
      '每个词元{num mha_token}（{num mha_token_binary}），' +
      '{num max_context}个词元就是{num mha_total}：只为一个请求，还没算模型权重。',
    links: [{label: '第8课', lesson: 'c3-l08'}],
    lesson: 'c3-l08',
  },
  {
    id: 'N10',
    track: 'generate',
    label: '第四代',
    name: 'MQA',
    year: '2019',
    column: 6,
    picture: 'mqa',
    wall: '{num t5_mha_score}→{num t5_mqa_score}分',
    title: 'MQA：所有头共用一份K、V',
    source: 'Shazeer 2019',
    solved:
      '缓存除以头数：每个词元{num mqa_token}（{num mqa_token_binary}），' +
      '同样的上下文{num mqa_total}。',
    stuck:
      '质量下降，训练可能不稳：' +
      'T5-XXL七项平均从{num t5_mha_score}降到{num t5_mqa_score}（GQA论文表1）。',
    links: [{label: '第9课', lesson: 'c3-l09'}],
    lesson: 'c3-l09',
  },
  {
    id: 'N11',
    track: 'generate',
    label: '第五代',
    name: 'GQA',
    year: '2023',
    column: 8,
    picture: 'gqa',
    wall: '{num llm67_total}',
    title: 'GQA：分组共用',
    source: 'Ainslie等2023；锚点模型用它',
    solved:
      '{num n_heads}个查询头分成{num n_kv_heads}组，每组{num group_size}个头共用一份K、V：' +
      '每个词元{num gqa_token}（{num gqa_token_binary}），满上下文{num gqa_total}。' +
      '论文里GQA-8得{num t5_gqa_score}分、' +
      '用{num t5_gqa_time}秒；MHA {num t5_mha_score}分、{num t5_mha_time}秒，' +
      'MQA {num t5_mqa_time}秒。',
    stuck:
      '组数再减就退回MQA。DeepSeek LLM 67B已是{num llm67_kv_heads}个KV头，' +
      '每个词元仍要{num llm67_token}（{num llm67_token_binary}），' +
      '各头各存则是{num llm67_mha_token}（{num llm67_mha_token_binary}），' +
      '1M上下文{num llm67_total}。',
    links: [{label: '第9课', lesson: 'c3-l09'}],
    lesson: 'c3-l09',
  },
  {
    id: 'N12',
    track: 'generate',
    label: '第六代',
    name: 'MLA',
    year: '2024',
    column: 9,
    picture: 'latent',
    wall: '{num glm_total}',
    title: 'MLA：存压缩过的潜向量',
    source: 'DeepSeek-V2 2024；DeepSeek-V3；GLM-5.3',
    solved:
      '不存K、V，每层每个词元只存{num mla_rank}个潜变量和{num mla_rope}个旋转维，' +
      '共{num mla_values}个数，' +
      '用时不必展开：V2每词元{num v2_token}（{num v2_token_binary}），' +
      'V3 {num v3_token}（{num v3_token_binary}）。同按BF16，V2比67B少{num v2_saving}；' +
      '官方说的{num v2_saving_official}还算进了约6比特的量化。',
    stuck:
      '仍随长度线性增长，打分仍是T²：GLM-5.3每词元{num glm_token}（{num glm_token_binary}），' +
      '{num glm_context}个词元光潜向量就要{num glm_total}。',
    links: [{label: '第10课', lesson: 'c3-l10'}],
    lesson: 'c3-l10',
  },
  {
    id: 'N13',
    track: 'generate',
    label: '交接C11',
    name: '线性与稀疏',
    year: '2025',
    column: 10,
    picture: 'constant',
    title: '线性注意力与稀疏注意力',
    source: '锚点模型其余的层；DeepSeek-V4.1',
    solved:
      '不再按长度存。锚点模型{num n_layers}层里有{num n_linear_layers}层只留固定大小的状态，' +
      '状态矩阵合计{num state_total}（FP32），上下文多长都一样。' +
      'DeepSeek-V4.1把压缩、稀疏和低精度叠在一起，' +
      '全局KV每词元{num v41_token}（官方数字）。',
    stuck:
      '固定的状态装不下任意多的对应关系，所以还留着{num n_full_layers}个全注意力层；' +
      '稀疏注意力只读挑中的那些，而挑选本身也有开销。',
    links: [
      {label: 'C11第4课', course: 'C11'},
      {label: 'C11第5课', course: 'C11'},
    ],
    branch: true,
  },
]);
