// SPDX-License-Identifier: MIT
// The longer lists of PyTorch's names that this library does not have; those that cases are likely to use come first,
// in not_had.cpp.
#include "python_subset/not_had_names.h"

namespace python_subset::not_had {

const char* const more_methods = R"(
    absolute absolute_ acos acos_ acosh acosh_ addbmm addbmm_ addcdiv addcmul addmv addmv_ addr addr_ adjoint
    align_as align_to aminmax angle arccos arccos_ arccosh arccosh_ arcsin arcsin_ arcsinh arcsinh_ arctan arctan2
    arctan2_ arctan_ arctanh arctanh_ argwhere as_strided as_strided_ as_strided_scatter asin asin_ asinh asinh_
    atan atan2 atan2_ atan_ atanh atanh_ baddbmm baddbmm_ bernoulli bincount bitwise_and bitwise_and_
    bitwise_left_shift bitwise_left_shift_ bitwise_not_ bitwise_or bitwise_or_ bitwise_right_shift
    bitwise_right_shift_ bitwise_xor bitwise_xor_ cauchy_ ccol_indices ceil_ cholesky cholesky_inverse
    cholesky_solve clamp_max clamp_max_ clamp_min clamp_min_ clip_ coalesce col_indices conj conj_physical
    conj_physical_ copysign copysign_ corrcoef cos_ cosh cosh_ count_nonzero cov crow_indices cummax cummin cumprod_
    cumsum_ deg2rad deg2rad_ dense_dim diag_embed diagflat diagonal_scatter diff digamma digamma_ divide_ dsplit eig
    erf erf_ erfc erfc_ erfinv erfinv_ exp2 exp2_ expm1 expm1_ exponential_ fill_diagonal_ fix fix_ fliplr flipud
    float_power float_power_ floor_divide_ fmax fmin fmod_ frac frac_ frexp gcd gcd_ ge_ geometric_ greater greater_
    greater_equal greater_equal_ hardshrink has_names heaviside heaviside_ histc histogram hsplit hypot hypot_ i0
    i0_ igamma igamma_ igammac igammac_ index_add index_fill index_put index_put_ index_reduce index_reduce_ inner
    is_coalesced is_conj is_cpu is_neg is_nonzero is_signed isclose isneginf isposinf isreal istft kron kthvalue lcm
    lcm_ ldexp ldexp_ le_ lerp_ less less_ less_equal less_equal_ lgamma lgamma_ log10 log10_ log1p log1p_ log2
    log2_ log_normal_ logaddexp logaddexp2 logcumsumexp logdet logical_and logical_and_ logical_not_ logical_or
    logical_or_ logical_xor logical_xor_ logit logit_ lstsq lu lu_solve masked_scatter masked_scatter_ matrix_exp
    moveaxis msort multinomial multiply_ mvlgamma mvlgamma_ nan_to_num nan_to_num_ nanmean nanmedian nanquantile
    nansum ne_ negative negative_ new new_empty_strided nextafter nextafter_ not_equal not_equal_ pinverse polygamma
    polygamma_ positive prelu put qr quantile rad2deg rad2deg_ ravel reciprocal_ remainder_ rename rename_ renorm
    renorm_ repeat_interleave resize resize_as resolve_conj resolve_neg rot90 row_indices rsqrt_ scatter scatter_add
    scatter_add_ scatter_reduce scatter_reduce_ select_scatter sgn sgn_ sign_ signbit sin_ sinc sinc_ sinh sinh_
    slice_scatter slogdet solve split_with_sizes stft subtract_ svd swapaxes_ swapdims swapdims_ symeig
    take_along_dim tan tan_ tensor_split to_padded_tensor triangular_solve tril_ triu_ true_divide_ trunc_ unique
    unique_consecutive unsafe_chunk unsafe_split unsafe_split_with_sizes vdot vsplit xlogy xlogy_
)";

const char* const more_functions = R"(
    abs_ acos acos_ acosh acosh_ adaptive_avg_pool1d adaptive_max_pool1d addbmm addmv_ addr adjoint
    affine_grid_generator align_tensors alpha_dropout alpha_dropout_ angle arccos arccos_ arccosh arccosh_ arcsin
    arcsin_ arcsinh arcsinh_ arctan arctan2 arctan_ arctanh arctanh_ are_deterministic_algorithms_enabled argwhere
    as_strided as_strided_ as_strided_scatter asin asin_ asinh asinh_ atan atan_ atanh atanh_ atleast_1d atleast_2d
    atleast_3d avg_pool1d bartlett_window batch_norm bilinear binary_cross_entropy_with_logits binomial
    bitwise_left_shift bitwise_right_shift blackman_window block_diag bucketize ceil_ celu celu_ chain_matmul
    channel_shuffle cholesky cholesky_inverse cholesky_solve choose_qparams_optimized clamp_ clamp_max clamp_max_
    clamp_min clamp_min_ clip_ column_stack concatenate conj conj_physical conj_physical_ constant_pad_nd conv1d
    conv2d conv3d conv_tbc conv_transpose1d conv_transpose2d conv_transpose3d convolution copysign corrcoef cos_
    cosh_ cosine_embedding_loss cov ctc_loss cummax cummin cumulative_trapezoid deg2rad deg2rad_ detach detach_
    diag_embed diagflat diagonal_scatter diff digamma dropout dropout_ dsplit eig embedding embedding_bag
    embedding_renorm_ erf_ erfc erfc_ erfinv exp2 exp2_ exp_ expm1_ feature_alpha_dropout feature_alpha_dropout_
    feature_dropout feature_dropout_ fill fill_ finfo fix fix_ fliplr flipud float_power floor_ fmax fmin frac frac_
    frexp frobenius_norm from_dlpack from_file gcd gcd_ get_deterministic_debug_mode get_device get_file_path
    get_float32_matmul_precision get_num_interop_threads get_num_threads get_rng_state gradient greater_equal
    grid_sampler grid_sampler_2d grid_sampler_3d group_norm gru gru_cell hamming_window hann_window hardshrink
    heaviside hinge_embedding_loss histogram histogramdd hsplit i0 i0_ igamma igammac iinfo imag index_fill
    index_put index_put_ index_reduce init_num_threads initial_seed inner instance_norm is_anomaly_check_nan_enabled
    is_anomaly_enabled is_complex is_conj is_deterministic_algorithms_warn_only_enabled is_floating_point is_neg
    is_nonzero is_same_size is_signed is_storage is_warn_always_enabled isin isneginf isposinf isreal istft
    kaiser_window kl_div layer_norm layout lcm lcm_ ldexp ldexp_ less_equal lgamma lobpcg log10_ log1p_ log2_ log_
    logaddexp logaddexp2 logcumsumexp logdet logit logit_ lstm lstm_cell lstsq lu lu_solve lu_unpack
    margin_ranking_loss masked_fill masked_scatter matrix_exp matrix_power matrix_rank max_pool1d
    max_pool1d_with_indices max_pool2d max_pool3d memory_format msort mvlgamma nan_to_num_ nanmean nanmedian
    nanquantile nansum neg_ negative_ nextafter norm_except_dim nuclear_norm pairwise_distance pca_lowrank pdist
    pinverse pixel_shuffle pixel_unshuffle poisson poisson_nll_loss polar polygamma prelu put qr quantile rad2deg
    rad2deg_ randint_like range real reciprocal_ relu_ resize_as_ resolve_conj resolve_neg rnn_relu rnn_relu_cell
    rnn_tanh rnn_tanh_cell rot90 round_ row_stack rrelu rrelu_ rsqrt_ rsub saddmm scalar_tensor scatter_add
    scatter_reduce searchsorted segment_reduce select_scatter selu selu_ set_anomaly_enabled set_default_tensor_type
    set_deterministic_debug_mode set_float32_matmul_precision set_flush_denormal set_num_interop_threads
    set_num_threads set_printoptions set_rng_state set_warn_always sgn sigmoid_ signbit sin_ sinc sinc_ sinh_
    slice_scatter slogdet solve split_with_sizes sqrt_ square_ stft svd_lowrank symeig take_along_dim tan_ tanh_
    threshold threshold_ to_dlpack trapezoid trapz triangular_solve tril_indices triplet_margin_loss triu_indices
    trunc_ typename unique_consecutive unsafe_chunk unsafe_split unsafe_split_with_sizes
    use_deterministic_algorithms vander vdot view_as_complex vsplit xlogy xlogy_ zero_
)";

const char* const more_layers = R"(
    AdaptiveAvgPool1d AdaptiveAvgPool3d AdaptiveLogSoftmaxWithLoss AdaptiveMaxPool1d AdaptiveMaxPool2d
    AdaptiveMaxPool3d AlphaDropout AvgPool1d AvgPool3d BatchNorm3d CELU CTCLoss ChannelShuffle ConstantPad1d
    ConstantPad2d ConstantPad3d Container ConvTranspose1d ConvTranspose3d CrossMapLRN2d Dropout3d
    FeatureAlphaDropout FractionalMaxPool2d FractionalMaxPool3d GLU Hardshrink Hardsigmoid Hardswish
    HingeEmbeddingLoss InstanceNorm3d LPPool1d LPPool2d LazyBatchNorm3d LazyConv3d LazyConvTranspose1d
    LazyConvTranspose2d LazyConvTranspose3d LazyInstanceNorm1d LazyInstanceNorm2d LazyInstanceNorm3d MaxPool3d
    MaxUnpool1d MaxUnpool2d MaxUnpool3d MultiLabelMarginLoss MultiLabelSoftMarginLoss MultiMarginLoss NLLLoss2d
    PairwiseDistance PixelShuffle PixelUnshuffle RNNBase RNNCellBase RReLU ReflectionPad1d ReflectionPad2d
    ReflectionPad3d ReplicationPad1d ReplicationPad2d ReplicationPad3d Softshrink SyncBatchNorm Tanhshrink Threshold
    TransformerDecoder TransformerDecoderLayer TransformerEncoder TransformerEncoderLayer
    TripletMarginWithDistanceLoss UpsamplingBilinear2d UpsamplingNearest2d
)";

const char* const more_layer_functions = R"(
    adaptive_avg_pool1d adaptive_avg_pool3d adaptive_max_pool1d adaptive_max_pool1d_with_indices adaptive_max_pool2d
    adaptive_max_pool2d_with_indices adaptive_max_pool3d adaptive_max_pool3d_with_indices affine_grid alpha_dropout
    avg_pool1d avg_pool3d bilinear celu celu_ channel_shuffle conv3d conv_tbc conv_transpose1d conv_transpose2d
    conv_transpose3d cosine_embedding_loss ctc_loss dropout1d dropout2d dropout3d elu_ embedding_bag
    feature_alpha_dropout fold fractional_max_pool2d fractional_max_pool2d_with_indices fractional_max_pool3d
    fractional_max_pool3d_with_indices gaussian_nll_loss grid_sample group_norm gumbel_softmax hardshrink
    hardsigmoid hardswish hardtanh_ hinge_embedding_loss instance_norm leaky_relu_ local_response_norm lp_pool1d
    lp_pool2d margin_ranking_loss max_pool1d_with_indices max_pool2d_with_indices max_pool3d max_pool3d_with_indices
    max_unpool1d max_unpool2d max_unpool3d multi_head_attention_forward multi_margin_loss multilabel_margin_loss
    multilabel_soft_margin_loss pdist pixel_shuffle pixel_unshuffle poisson_nll_loss rrelu rrelu_ selu_
    soft_margin_loss softshrink threshold_ triplet_margin_loss triplet_margin_with_distance_loss upsample
    upsample_bilinear upsample_nearest
)";

}  // namespace python_subset::not_had
