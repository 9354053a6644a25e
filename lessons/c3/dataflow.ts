// The steps of a decoder layer in the order of the data; each lesson adds one.
import {defineDataflow} from '../../web/site/dataflow.js';

export default defineDataflow({
  frame: '解码层（decoder layer）',
  steps: [
    {
      id: 'projection',
      lesson: 'c3-l01',
      title: '投影成Q、K',
      shapeIn: 'X：(T, d_model)',
      shapeOut: 'Q、K：(T, d_k)',
      parameters:
        'W_Q、W_K各d_model × d_k个。教学句{num world_width} × {num world_width}，' +
        '各{num world_projection}个数。',
      note: '每个词元各算一个「我在找什么」和一个「凭什么找到我」。',
    },
    {
      id: 'heads',
      lesson: 'c3-l07',
      title: '切成多个头',
      shapeIn: 'Q、K、V：(T, n_heads × head_dim)',
      shapeOut: '(n_heads, T, head_dim)，拼接后乘W_O回到(T, d_model)',
      parameters:
        '切开不加参数，拼接后多一个W_O。教学句{num world_heads}头、每头{num world_head_width}维；' +
        '锚点模型{num n_heads}头、每头{num head_dim}维。',
      note: '每个头有自己的一份100 %。',
    },
    {
      id: 'position',
      lesson: 'c3-l06',
      title: 'RoPE旋转Q、K',
      shapeIn: 'Q、K：(T, d_k)',
      shapeOut: 'Q、K：(T, d_k)',
      parameters: '没有可学参数。锚点模型每头{num head_dim}维里转{num rotary_dims}维。',
      note: '打分之前转，分数从此知道相对距离。',
    },
    {
      id: 'cache',
      lesson: 'c3-l08',
      aside: true,
      title: 'KV缓存',
      shapeIn: '新词元的K、V：(1, n_heads × head_dim)',
      shapeOut: '存下的K、V：(T, n_heads × head_dim)',
      parameters:
        '没有参数，占的是显存：锚点模型若各头各存，' +
        '每词元{num mha_token}（{num mha_token_binary}）。',
      note: '生成时旧词元的K、V不变，存着不必重算。',
    },
    {
      id: 'shared-kv',
      lesson: 'c3-l09',
      aside: true,
      title: 'K、V分组共用',
      shapeIn: '查询头n_heads个',
      shapeOut: 'KV头n_kv_heads个',
      parameters:
        '锚点模型{num n_heads}个查询头共用{num n_kv_heads}份K、V，' +
        '每词元{num gqa_token}（{num gqa_token_binary}）。',
      note: '查询仍各用各的，被查的K、V合用。',
    },
    {
      id: 'latent-kv',
      lesson: 'c3-l10',
      aside: true,
      title: 'K、V压成潜向量',
      shapeIn: '词元向量：(1, d_model)',
      shapeOut: '(1, kv_lora_rank + qk_rope_head_dim)',
      parameters:
        '降维、升维两组矩阵。每层每词元存{num mla_values}个数，' +
        'DeepSeek-V2全部层合计{num v2_token}（{num v2_token_binary}）。',
      note: '存压窄过的；升维矩阵折进查询，不展开也能打分。',
    },
    {
      id: 'scores',
      lesson: 'c3-l02',
      title: '打分QKᵀ',
      shapeIn: 'Q、K：(T, d_k)',
      shapeOut: 'S：(T, T)',
      parameters: '没有参数。',
      note: '第i行第j列是q_i·k_j：i对j有多感兴趣，可正可负，大小不限。',
    },
    {
      id: 'mask',
      lesson: 'c3-l04',
      title: '因果掩码',
      shapeIn: 'S：(T, T)',
      shapeOut: 'S：(T, T)，右上三角（不含对角线）为−∞',
      parameters: '没有参数。',
      note: '加在softmax之前，让后面的词元权重恰好为0。',
    },
    {
      id: 'weights',
      lesson: 'c3-l03',
      title: '÷√d，再softmax',
      shapeIn: 'S：(T, T)',
      shapeOut: 'W：(T, T)，每行和为1',
      parameters:
        '没有可学参数，只有一个定下来的常数√d；锚点模型是√{num head_dim}，约{num dot_std}。',
      note: '把一行任意的实数变成一行权重，不小于0，和为1。',
    },
    {
      id: 'values',
      lesson: 'c3-l05',
      title: '加权求和·V',
      shapeIn: 'W：(T, T)，V：(T, d_v)',
      shapeOut: '(T, d_v)',
      parameters: 'W_V有d_model × d_v个，教学句{num world_projection}个数。',
      note: '权重乘在V上：从每个词元取回一份内容，按比例掺在一起。',
    },
  ],
});
